# ./dev mutants: makes mistakes in every kernel of the library; a verifier or a sanitizer must find each of them.

mutants() {
  case " $* " in
    *' --help '* | *' -h '*) ;;
    *)
      setup
      build release opc_mutants
      ;;
  esac
  python3 tools/dev/mutants.py --tool="$(build_folder release)/test/bin/opc_mutants" --library=ops/library "$@"
}
