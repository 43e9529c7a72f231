"""check_model_page.py <page> <nodes>: the page of `opc model show` has the nodes, each edge leads down, places are
numbers, and nothing comes from outside."""

import json
import re
import sys


def main():
    page, count = open(sys.argv[1], encoding="utf-8").read(), int(sys.argv[2])
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1]
    data = json.loads(text)
    assert page.count("</script>") == 2, "a name ends a script"
    assert "{{" not in page.replace(text, ""), "a part of the page is missing"
    assert not re.search(r'(?:src|href)="(?!data:)', page), "the page loads something"
    nodes = data["nodes"]
    assert len(nodes) == count, f"{len(nodes)} nodes"
    for node in nodes:
        assert node["kind"] in ("library", "user", "view", "constant", "call", "missing", "end"), node
        assert data["left"] <= node["place"] <= data["right"] and 0 <= node["layer"] < data["depth"], node
    for start, end in data["edges"]:
        assert nodes[start]["layer"] < nodes[end]["layer"], (start, end)
    print(f"{len(nodes)} nodes, {len(data['edges'])} edges, all lead down, nothing from outside")


if __name__ == "__main__":
    main()
