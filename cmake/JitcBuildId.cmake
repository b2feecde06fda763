# cmake -DROOT=… -DLLVM=… -DFILES=… -DOUTPUT=… -P JitcBuildId.cmake: writes the source of cache::build_id(), the hash of
# the version of LLVM and of the files that FILES lists, all below ROOT.
file(STRINGS "${FILES}" files)
set(all "${LLVM}")
foreach(file ${files})
  file(SHA256 "${file}" hash)
  file(RELATIVE_PATH name "${ROOT}" "${file}")
  string(APPEND all "\n${name} ${hash}")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING "${id}" 0 32 id)
file(WRITE "${OUTPUT}"
     "#include \"src/cache/build_id.hpp\"\n\nstd::string jitc::cache::build_id() { return \"${id}\"; }\n")
