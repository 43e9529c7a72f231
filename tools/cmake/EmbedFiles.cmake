# cmake -DOUTPUT=<file> -DFOLDER=<folder> -DNAMES="a b c" -P EmbedFiles.cmake
#
# Writes the files of a folder as an initialiser list: {"name", "text"} pairs of raw string literals, for an #include.

separate_arguments(NAMES UNIX_COMMAND "${NAMES}")
set(result "// Generated from ${FOLDER} by EmbedFiles.cmake.\n")
foreach(name IN LISTS NAMES)
  file(READ "${FOLDER}/${name}" text)
  if(text MATCHES "\\)opc_file\"")
    message(FATAL_ERROR "${name} has the end mark of its own literal")
  endif()
  string(APPEND result "{\"${name}\", R\"opc_file(${text})opc_file\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${result}")
