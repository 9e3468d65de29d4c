"""A mutant in a process that imports everything anew: defaults, class bodies, constants, and what ran at import."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from tests.mutants.children import Report
from tests.mutants.collected import LastFault, alarm_in, few_examples
from tests.mutants.mutations import Mutation
from tests.mutants.swapping import compiled, parsed


class _Changed(importlib.machinery.SourceFileLoader):
    """Loads one module with other code."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self.changed = code

    def get_code(self, fullname: str) -> CodeType:
        return self.changed


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = _Changed(fullname, str(self.path), self.code)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


class _Chosen:
    """Runs these tests in this order."""

    def __init__(self, names: Mapping[str, float], examples: int, report: Report) -> None:
        self.seconds = names
        self.order = {name: place for place, name in enumerate(names)}
        self.examples = examples
        self.report = report

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        few_examples(items, self.examples)
        items[:] = sorted((one for one in items if one.nodeid in self.order), key=lambda one: self.order[one.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.report.write({"found": "hung", "test": nodeid})
        alarm_in(self.seconds[nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.report.write({"found": "killed", "test": report.nodeid, "by": ""})


def noticing_afresh(
    repo: Path, file: Path, mutation: Mutation | None, names: Mapping[str, float], examples: int
) -> Callable[[Report], None]:
    """A job: import the core with this change, collect the files of these tests, run them until one fails.

    `names`: the tests in the order in which they are to run, each with the seconds that it takes.
    """

    def job(report: Report) -> None:
        module = ".".join(file.relative_to(repo).with_suffix("").parts).removesuffix(".__init__")
        assert not [name for name in sys.modules if name == "server" or name.startswith("server.")]
        tree = parsed(file)
        sys.meta_path.insert(0, _Finder(module, file, compiled(mutation.applied(tree) if mutation else tree, file)))
        fault = LastFault()
        files = list(dict.fromkeys(name.split("::")[0] for name in names))
        arguments = ["-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider", f"--rootdir={repo}"]
        ended = pytest.main([*arguments, *files], plugins=[_Chosen(names, examples, report), fault])
        said = report.read()
        if ended == pytest.ExitCode.OK:
            report.write({"found": "survived"})
        elif ended == pytest.ExitCode.TESTS_FAILED and said is not None:
            report.write({**said, "by": fault.kind})
        elif ended != pytest.ExitCode.NO_TESTS_COLLECTED:
            report.write({"found": "killed", "test": "collecting", "by": "import"})
        else:
            report.write({"fault": f"pytest ended with {ended!r}"})

    return job
