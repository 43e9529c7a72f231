# ./dev mutants: mistakes made in every kernel of the library, each to be found by verifier or sanitizer.

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
