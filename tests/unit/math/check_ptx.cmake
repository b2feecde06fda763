# Compiles the math library to PTX, looks for what must not be there, and lets ptxas (where installed) assemble it.
foreach(sm 75 90)
  set(ptx "${WORK_DIR}/jitc_math_sm_${sm}.ptx")
  execute_process(COMMAND "${LLC}" -march=nvptx64 -mcpu=sm_${sm} -fp-contract=off -O3 "${BITCODE}" -o "${ptx}"
                  RESULT_VARIABLE failed ERROR_VARIABLE text)
  if(failed)
    message(FATAL_ERROR "llc for sm_${sm}: ${text}")
  endif()

  # A bare add, sub or mul lets ptxas fuse; approximations differ from the CPU's results.
  file(STRINGS "${ptx}" inexact REGEX "[ \t](add|sub|mul)\\.f(32|64)|\\.(approx|full|ftz)")
  if(inexact)
    message(FATAL_ERROR "sm_${sm}: not strict arithmetic: ${inexact}")
  endif()
  file(STRINGS "${ptx}" local_memory REGEX "\\.local")
  if(local_memory)
    message(FATAL_ERROR "sm_${sm}: local memory: ${local_memory}")
  endif()

  if(PTXAS)
    execute_process(COMMAND "${PTXAS}" -c -arch=sm_${sm} "${ptx}" -o "${WORK_DIR}/jitc_math_sm_${sm}.cubin"
                    RESULT_VARIABLE failed ERROR_VARIABLE text OUTPUT_VARIABLE text)
    if(failed)
      message(FATAL_ERROR "ptxas for sm_${sm}: ${text}")
    endif()
  endif()
endforeach()
