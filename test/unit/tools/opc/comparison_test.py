"""The comparison of `opc test`: what counts as equal, as an ulp, as allowed, and which values are tried."""

import importlib.util
import json
import math
import pathlib
import subprocess
import sys
import unittest

import numpy as np

source = pathlib.Path(__file__).resolve().parents[4] / "tools" / "opc" / "test" / "opc_test.py"
spec = importlib.util.spec_from_file_location("opc_test", source)
opc_test = importlib.util.module_from_spec(spec)
spec.loader.exec_module(opc_test)

EXACT = {"max_ulp": 0}


def compare(got, exact, name="float16", tolerance=EXACT, terms=()):
    got = np.asarray(got).astype(name)
    return opc_test.compare_floats(got, np.asarray(exact, dtype=np.float64), name, tolerance, list(terms))


class Equality(unittest.TestCase):
    # Without it: the sign of a zero or the bits of a NaN make a right result wrong.
    def test_zeros_and_nans_are_alike(self):
        self.assertTrue(compare([0.0, -0.0, np.nan], [-0.0, 0.0, -np.nan])[0].all())

    # Without it: NaN for a number, or a number for NaN, passes because comparisons with NaN are false.
    def test_nan_is_no_number(self):
        loose = {"max_ulp": 1e9, "absolute": 1e9}
        self.assertFalse(compare([np.nan, 1.0], [1.0, np.nan], tolerance=loose)[0].any())

    # Without it: a bit-exact operator may be off by the last bit.
    def test_one_ulp_is_not_equal(self):
        self.assertFalse(compare([np.nextafter(np.float16(1), np.float16(2))], [1.0])[0].any())

    # Without it: the reference is rounded another way than the operator's type rounds.
    def test_reference_is_rounded_to_nearest_even(self):
        self.assertTrue(compare([2048.0, 2052.0], [2049.0, 2051.0])[0].all())


class Ulp(unittest.TestCase):
    # Without it: errors are measured in units of another binade.
    def test_units(self):
        units = opc_test.unit(np.array([1.0, 1.99, 2.0, 2.0**-14, 2.0**-20, 0.0, 65504.0, math.inf]), "float16")
        self.assertEqual(list(units), [2.0**-10, 2.0**-10, 2.0**-9, 2.0**-24, 2.0**-24, 2.0**-24, 32.0, 2.0**-24])

    # Without it: an error of 1.5 ulp passes where 1 is allowed, or one of 0.9 fails.
    def test_distance_is_from_the_unrounded_reference(self):
        step = 2.0**-10
        tolerance = {"max_ulp": 1}
        self.assertTrue(compare([1.0 + step], [1.0 + 0.1 * step], tolerance=tolerance)[0].all())
        self.assertFalse(compare([1.0 + 2 * step], [1.0 + 0.5 * step], tolerance=tolerance)[0].all())

    # Without it: the largest number in place of infinity is an infinite error, and infinity in place of 1 a small one.
    def test_overflow_is_one_step_beyond_the_largest(self):
        passes, ulp, _ = compare([65504.0, math.inf, math.inf], [70000.0, 65504.0, 1.0], tolerance={"max_ulp": 1})
        self.assertEqual(list(passes), [True, True, False])
        self.assertEqual(ulp[0], 1.0)

    # Without it: true infinities of the reference accept any large number.
    def test_infinity_itself_is_exact(self):
        self.assertFalse(compare([65504.0, -math.inf], [math.inf, math.inf], tolerance={"max_ulp": 9})[0].any())

    # Without it: the term |beta * x| is left out, or added where it is infinite or NaN.
    def test_terms_widen_the_bound(self):
        terms = [np.float64(2.0), np.array([3.0, math.inf, math.nan])]
        _, _, allowed = compare([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], tolerance={"max_ulp": 4}, terms=terms)
        self.assertEqual(list(allowed), [10.0, 4.0, 4.0])

    # Without it: where terms beyond float16 cancel, what float32 rounds of them is a wrong result; or terms within the
    # range widen the bound, and those that float32 does not hold either.
    def test_terms_beyond_the_type_are_rounded_in_the_computation(self):
        scale = np.array([65504.0, 2 * 65504.0**2, 1e39, math.inf])
        _, _, allowed = opc_test.compare_floats(np.zeros(4, "float16"), np.zeros(4), "float16", {"max_ulp": 1}, [], scale,
                                                computed=("float32", 16))
        self.assertEqual(list(allowed), [1.0, 1.0 + 16 * 512 / 32, 1.0, 1.0])

    # Without it: sums of subnormal products, each of which rounds, are wrong by a few of the least units; or a result of
    # normal size is allowed more, or a sum of zeros.
    def test_products_add_their_rounding(self):
        exact = np.array([2.0**-140, 1.0, 0.0])
        _, _, allowed = opc_test.compare_floats(np.zeros(3, "float32"), exact, "float32", {"max_ulp": 1}, [],
                                                scale=np.array([2.0**-139, 4.0, 0.0]), summed=24)
        self.assertTrue(25.0 <= allowed[0] < 25.1)
        self.assertEqual(list(allowed[1:]), [1.0 + 24 * 2, 1.0])

    # Without it: results that the type cannot hold as normal numbers must be right to the ulp.
    def test_absolute_bound_is_an_alternative(self):
        tolerance = {"max_ulp": 4, "absolute": 1e-36}
        self.assertTrue(compare([0.0], [1e-37], "float32", tolerance)[0].all())
        self.assertFalse(compare([0.0], [1e-35], "float32", tolerance)[0].all())


class Values(unittest.TestCase):
    # Without it: corners of arithmetic are never tried.
    def test_special_values(self):
        values = opc_test.special_values("float16")
        for value in (math.inf, -math.inf, 65504.0, 2.0**-24, 2.0**-14, 1.0):
            self.assertIn(np.float16(value), values)
        self.assertTrue(np.isnan(values).any() and np.signbit(values[values == 0]).any())

    # Without it: two inputs meet their corners one by one, never in combination.
    def test_every_pair_meets(self):
        count = len(opc_test.special_values("float16"))
        arrays = opc_test.make_special([{"name": "a", "type": "float16", "shape": [4096]},
                                        {"name": "b", "type": "float16", "shape": [4096]}])
        pairs = {(a.tobytes(), b.tobytes()) for a, b in zip(arrays["a"], arrays["b"])}
        self.assertEqual(len(pairs), count * count)

    # Without it: a unary operator on half is tried on some of its 65,536 inputs only.
    def test_all_half_patterns(self):
        arrays = opc_test.make_special([{"name": "x", "type": "float16", "shape": [65537]}])
        self.assertEqual(len(np.unique(arrays["x"].view(np.uint16))), 65536)

    # Without it: a failure cannot be repeated.
    def test_seeds_repeat(self):
        request = {"kind": "random", "seed": 7, "inputs": [{"name": "x", "type": "float32", "shape": [33]}],
                   "attributes": [{"name": "beta", "type": "float", "default": 1.0, "minimum": -1.0, "maximum": 1.0}]}
        first, second = opc_test.Session(), opc_test.Session()
        self.assertEqual(first.make(request), second.make(request))
        self.assertLessEqual(abs(first.attributes["beta"]), 1.0)

    # Without it: rank 0 and empty tensors have another shape than was asked for.
    def test_shapes(self):
        random = np.random.default_rng(0)
        for type_ in ("float16", "float32", "int8", "int64", "bool"):
            for shape in ([], [0], [2, 0, 3], [5]):
                tensor = {"name": "x", "type": type_, "shape": shape}
                for arrays in (opc_test.make_random([tensor], random, 0.125), opc_test.make_special([tensor])):
                    self.assertEqual((arrays["x"].shape, arrays["x"].dtype.name), (tuple(shape), type_))


class Rules(unittest.TestCase):
    def session(self, inputs, reference, **boundary):
        session = opc_test.Session()
        session.boundary = {"nan": "reference", "infinity": "reference", "overflow": "reference", "saturation": "none"}
        session.boundary.update(boundary)
        session.tolerances = {"float16": EXACT}
        session.inputs = {"x": np.array(inputs, dtype=np.float16)}
        session.orders = {}
        session.attributes = {}
        session.exact = None
        session.reference = reference
        return session

    def check(self, session, got):
        data = np.asarray(got, dtype=np.float16)
        request = {"outputs": [{"name": "y", "type": "float16", "shape": list(data.shape)}]}
        return session.check(request, lambda size: data.tobytes())[0]

    # Without it: what a contract leaves open is compared, or what it promises is not.
    def test_what_is_left_open(self):
        zero = lambda inputs, attributes: {"y": np.zeros(3)}
        inputs = [np.nan, np.inf, 1.0]
        for boundary, wrong, skipped in (({"nan": "propagate"}, 1, 0), ({"nan": "unspecified"}, 0, 1),
                                         ({"infinity": "unspecified"}, 0, 1), ({}, 0, 0)):
            result = self.check(self.session(inputs, zero, **boundary), [0.0, 0.0, 0.0])
            self.assertEqual((result["wrong"], result["skipped"]), (wrong, skipped), boundary)

    # Without it: an overflow that the contract leaves open fails, or one that it defines passes with any value.
    def test_overflow(self):
        large = lambda inputs, attributes: {"y": np.array([1e6])}
        self.assertEqual(self.check(self.session([1.0], large), [7.0])["wrong"], 1)
        self.assertEqual(self.check(self.session([1.0], large, overflow="unspecified"), [7.0])["skipped"], 1)

    # Without it: a wrong element comes without what is needed to look at it.
    def test_wrong_elements_are_described(self):
        result = self.check(self.session([1.5, 2.0], lambda i, a: {"y": i["x"] * 2}), [3.0, 5.0])
        self.assertEqual(result["wrong"], 1)
        self.assertEqual(result["first"], [{"output": "y", "index": [1], "operands": {"x": "2"}, "expected": "4",
                                            "got": "5", "off": "off by 256 ulp where 0 are allowed"}])

    # Without it: the column of the table shows how well the right elements did, beside "6 FAILED".
    def test_worst_ulp_is_that_of_wrong_elements_too(self):
        double = lambda i, a: {"y": i["x"] * 2}
        self.assertEqual(self.check(self.session([1.5, 2.0], double), [3.0, 5.0])["worst_ulp"], 256.0)
        # No number is as far from a number as NaN; JSON has no word for it.
        self.assertIsNone(self.check(self.session([1.5, 2.0], double), [3.0, np.nan])["worst_ulp"])
        # What only the absolute bound lets pass has no error in ulp that means something.
        session = self.session([0.0], lambda i, a: {"y": np.array([1e-6])})
        session.tolerances = {"float16": {"max_ulp": 1, "absolute": 1e-3}}
        self.assertEqual(self.check(session, [1e-3])["worst_ulp"], 0.0)

    # Without it: integers are "off by 0 ulp", and the author looks for a rounding.
    def test_integers_and_truth_values_are_off_by_what_they_are(self):
        session = self.session([1.0], lambda i, a: {"y": np.array([127])})
        result = session.check({"outputs": [{"name": "y", "type": "int8", "shape": [1]}]},
                               lambda size: np.array([-128], dtype=np.int8).tobytes())[0]
        self.assertEqual((result["first"][0]["off"], result["worst_ulp"]), ("off by 255", 255.0))
        session = self.session([1.0], lambda i, a: {"y": np.array([True])})
        result = session.check({"outputs": [{"name": "y", "type": "bool", "shape": [1]}]}, lambda size: b"\0")[0]
        self.assertEqual((result["first"][0]["off"], result["first"][0]["expected"]), ("", "1"))
        # 64 bits are more than a float holds: neighbours are apart all the same.
        far = opc_test.distance(np.array([2**62], dtype=np.int64), np.array([2**62 + 1], dtype=np.int64))
        self.assertEqual(list(far), [1.0])

    # Without it: a wrong result of an operator with axes or a text among its attributes ends in a traceback.
    def test_attributes_of_every_type_are_described(self):
        session = self.session([1.0], lambda i, a: {"y": np.zeros(1)})
        session.attributes = {"axes": [0, -1], "mode": "fast", "keep": True, "names": ["a", "b"], "beta": 0.5, "n": 3}
        operands = self.check(session, [1.0])["first"][0]["operands"]
        self.assertEqual({key: operands[key] for key in session.attributes},
                         {"axes": "[0, -1]", "mode": "fast", "keep": "1", "names": "[a, b]", "beta": "0.5", "n": "3"})

    # Without it: numpy's word about an array without elements is all that an author gets.
    def test_a_reference_that_fails_without_elements(self):
        session = self.session(np.zeros((0, 3)), lambda i, a: {"y": np.max(i["x"], axis=0)})
        session.path = "reference.py"
        with self.assertRaises(opc_test.WrongReference) as caught:
            self.check(session, np.zeros((0, 3)))
        self.assertIn("asked for x[0, 3]", str(caught.exception))
        self.assertIn("'minimum: 1'", caught.exception.fix)

    # Without it: a reference of another shape is broadcast to fit.
    def test_shape_of_the_reference(self):
        with self.assertRaises(opc_test.WrongReference):
            self.check(self.session([1.0, 2.0], lambda i, a: {"y": np.zeros(1)}), [0.0, 0.0])

    # Without it: integers that do not fit are compared after another rule than the contract's.
    def test_integers(self):
        values = np.array([300, -7, 1])
        clamp = opc_test.integer_result(values, np.dtype("int8"), {"saturation": "clamp"})
        wrap = opc_test.integer_result(values, np.dtype("int8"), {"saturation": "none"})
        self.assertEqual((list(clamp), list(wrap)), ([127, -7, 1], [44, -7, 1]))
        floats = np.array([300.0, -np.inf, -7.5, 2.5, np.nan, 1e300])
        for saturation in ("clamp", "none"):
            whole = opc_test.integer_result(floats, np.dtype("int8"), {"saturation": saturation})
            self.assertEqual(list(whole), [127, -128, -8, 2, 0, 127], saturation)

    # Without it: a quotient next to the middle of two whole numbers fails an operator that allows it to.
    def test_integers_have_the_contracts_tolerance(self):
        session = self.session([1.0], lambda i, a: {"y": np.array([5, 5])})
        session.tolerances = {"int8": {"max_ulp": 1}}
        output = {"outputs": [{"name": "y", "type": "int8", "shape": [2]}]}
        self.assertEqual(session.check(output, lambda size: np.array([4, 6], dtype=np.int8).tobytes())[0]["wrong"], 0)
        self.assertEqual(session.check(output, lambda size: np.array([3, 7], dtype=np.int8).tobytes())[0]["wrong"], 2)

    # Without it: an input of rank 0 that `inputs` changes comes back with a dimension.
    def test_changed_inputs_keep_their_shape(self):
        session = self.session(1.0, lambda i, a: {"y": i["x"]})
        session.adjust = lambda arrays, random: {"x": arrays["x"] * 2}
        changed = session.adjusted(None)["x"]
        self.assertEqual((changed.shape, changed.dtype, float(changed)), ((), np.float16, 2.0))

    # Without it: a sum that cancels is held to the units of what is left of it.
    def test_scale(self):
        session = self.session([1.0, 2.0, 3.0, 4.0], lambda i, a: {"y": np.array([1.0, 1.0, 1.0, np.nan])})
        session.tolerances = {"float16": {"max_ulp": 1, "computed_in": "float16"}}
        unit = 2.0**-10
        got = [1.0 + 3 * unit, 1.0 + 3 * unit, 99.0, 1.0]
        self.assertEqual(self.check(session, got)["wrong"], 4)
        session.exact, session.scale = None, lambda i, a: {"y": np.array([4.0, 2.0, np.inf, np.nan])}
        result = self.check(session, got)
        # Within one unit of 4; beyond one of 2; nothing is promised; NaN says nothing, and a number is not NaN.
        self.assertEqual((result["wrong"], result["skipped"]), (2, 1))

    # Without it: a sum whose parts overflow is called wrong, or any infinity where parts are large passes.
    def test_parts_of_a_sum_that_overflow(self):
        session = self.session([1.0, 2.0, 3.0, 4.0], lambda i, a: {"y": np.ones(4)})
        session.scale = lambda i, a: {"y": np.array([7e4, 7e4, 6e4, 7e4])}
        got = [np.inf, np.nan, np.inf, 9e3]
        session.tolerances = {"float16": {"max_ulp": 1, "computed_in": "float16"}}
        result = self.check(session, got)
        # 6e4 is a number of float16; 9e3 is neither right nor what an overflow leaves.
        self.assertEqual((result["wrong"], result["skipped"]), (2, 2))
        session.exact, session.tolerances = None, {"float16": {"max_ulp": 1, "computed_in": "float32"}}
        self.assertEqual(self.check(session, got)["wrong"], 4)

    # Without it: what holds on the chip alone is let pass everywhere, or not even there.
    def test_chip(self):
        def wrong(inputs, results, got, chip, flushed=False, reference=None):
            session = self.session(inputs, reference or (lambda i, a: {"y": np.array(results, dtype=np.float64)}))
            session.chip_tolerances = {"float16": {"max_ulp": 2, "subnormals_flushed": flushed}}
            session.flushed = {}
            data = np.asarray(got, dtype=np.float16)
            request = {"outputs": [{"name": "y", "type": "float16", "shape": list(data.shape)}], "chip": chip}
            return session.check(request, lambda size: data.tobytes())[0]["wrong"]

        unit, small = 2.0**-10, 2.0**-20
        # A tolerance of its own.
        self.assertEqual([wrong([1.0], [1.0], [1.0 + n * unit], chip) for chip in (False, True) for n in (0, 2, 3)],
                         [0, 1, 1, 0, 0, 1])
        # The largest number for infinity, of the right sign, and for a finite result beyond the range alone.
        self.assertEqual(wrong([1.0] * 3, [1e6, 1e6, np.inf], [65504, -65504, 65504], True), 2)
        self.assertEqual(wrong([1.0], [1e6], [65504], False), 1)
        self.assertEqual(wrong([1.0], [1e6], [np.inf], True), 0)
        # Results that are subnormal, or may be, as zero; others not, and only where the tolerance says so.
        results = [small, 2.0**-14, 2.0**-13, -small]
        self.assertEqual(wrong([1.0] * 4, results, [0.0] * 4, True, flushed=True), 1)
        self.assertEqual(wrong([1.0] * 4, results, [0.0] * 4, True, flushed=False), 4)
        self.assertEqual(wrong([1.0] * 4, results, [0.0] * 4, False, flushed=True), 4)
        # Arguments that are subnormal as zero: the reciprocal is infinite. Not of a normal number.
        reciprocal = lambda i, a: {"y": 1.0 / i["x"]}
        self.assertEqual(wrong([2.0**-15, 2.0**-14], None, [np.inf, np.inf], True, True, reciprocal), 1)
        self.assertEqual(wrong([2.0**-15, 2.0**-14], None, [2.0**15, 2.0**14], True, True, reciprocal), 0)
        self.assertEqual(wrong([2.0**-15, 2.0**-14], None, [np.inf, np.inf], True, False, reciprocal), 2)

    # Without it: a bound that float32 cannot hold is rounded out of its range, and the launch is refused.
    def test_bounds_of_attributes(self):
        attributes = [{"name": "epsilon", "type": "float", "default": 1e-5, "minimum": 1e-12, "maximum": 0.1}]
        for seed in range(1, 40, 2):
            value = opc_test.make_attributes(attributes, {}, seed, np.random.default_rng(seed))["epsilon"]
            self.assertTrue(1e-12 <= value <= 0.1)
            self.assertEqual(value, np.float32(value))

    # Without it: axes of a reduction are what the seed says, not what the case says.
    def test_fixed_attributes(self):
        attributes = [{"name": "axes", "type": "list_int", "default": []}, {"name": "keepdims", "type": "bool", "default": False}]
        random = np.random.default_rng(0)
        values = opc_test.make_attributes(attributes, {"axes": [0, -1], "keepdims": True}, 1, random)
        self.assertEqual(values, {"axes": [0, -1], "keepdims": True})


class Conversation(unittest.TestCase):
    # Without it: a mistake in this file is reported as one of the author's reference.
    def test_own_mistakes_are_called_so(self):
        requests = [{"do": "open", "reference": "/dev/null", "boundary": {}, "tolerances": [], "chip_tolerances": []},
                    {"do": "make", "kind": "random"}]
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        answers = subprocess.run([sys.executable, str(source)], input=lines, capture_output=True, text=True, check=True)
        first, second = [json.loads(line) for line in answers.stdout.splitlines()]
        self.assertIn("defines no function 'reference", first["error"])
        self.assertIn("KeyError", second["internal"])
        self.assertNotIn("error", second)


class Opinions(unittest.TestCase):
    request = {"seed": 2, "inputs": [{"name": "x", "type": "float32", "shape": [3, 5]}],
               "attributes": [{"name": "axes", "type": "list_int", "default": [1]}]}

    def opinion(self, reference):
        session = opc_test.Session()
        session.reference = reference
        session.onnx = lambda attributes: ("ReduceSum", {"axes": attributes["axes"], "keepdims": 0})
        return session.opinion(self.request)[0]

    # Without it: a reference with another formula than ONNX's is taken for right.
    def test_right_and_wrong_references(self):
        right = self.opinion(lambda i, a: {"y": np.sum(i["x"], axis=1)})
        self.assertEqual((right["operator"], right["compared"], right["wrong"]), ("ReduceSum", 3, 0))
        wrong = self.opinion(lambda i, a: {"y": np.sum(i["x"], axis=1) * 1.5})
        self.assertEqual(wrong["wrong"], 3)
        self.assertIn("ONNX Runtime says", wrong["text"])
        self.assertEqual(self.opinion(lambda i, a: {"y": np.sum(i["x"], axis=0)})["wrong"], 1)

    # Without it: the test never ends, as ONNX Runtime's convolution of no channels does not.
    def test_convolutions_of_no_channels_are_left_out(self):
        session = opc_test.Session()
        session.reference = lambda i, a: {"y": np.zeros((1, 3, 2, 2))}
        session.onnx = lambda attributes: ("Conv", {})
        asked, run_onnx = [], opc_test.run_onnx
        opc_test.run_onnx = lambda *arguments: asked.append(1) or [np.zeros((1, 3, 2, 2))]
        try:
            for channels in (0, 1):
                inputs = [{"name": "x", "type": "float32", "shape": [1, channels, 4, 4]},
                          {"name": "w", "type": "float32", "shape": [3, channels, 3, 3]}]
                result = session.opinion({"seed": 2, "inputs": inputs, "attributes": []})[0]
                self.assertEqual((len(asked), result["operator"]), (channels, "Conv" if channels else None))
        finally:
            opc_test.run_onnx = run_onnx

    # Without it: an operator that ONNX lacks, or a machine without ONNX Runtime, looks tested.
    def test_what_is_missing_is_said(self):
        session = opc_test.Session()
        session.reference = lambda i, a: {"y": i["x"]}
        self.assertIsNone(session.opinion(self.request)[0]["operator"])
        session.onnx = lambda attributes: ("Neg", {})
        absent, sys.modules["onnxruntime"] = sys.modules.get("onnxruntime"), None
        try:
            self.assertEqual(session.opinion(self.request)[0]["missing"], "onnxruntime")
        finally:
            del sys.modules["onnxruntime"]
            if absent is not None:
                sys.modules["onnxruntime"] = absent


if __name__ == "__main__":
    unittest.main()
