/* The bytes of the math library between two symbols. */
  .section .rodata
  .balign 16
  .globl jitc_math_bitcode_begin
  .hidden jitc_math_bitcode_begin
jitc_math_bitcode_begin:
  .incbin "jitc_math.bc"
  .globl jitc_math_bitcode_end
  .hidden jitc_math_bitcode_end
jitc_math_bitcode_end:
  .byte 0
  .section .note.GNU-stack, "", %progbits
