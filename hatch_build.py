"""The build hook that compiles the rules: hatch-mypyc, told which directory of sources is meant."""

from hatch_mypyc import plugin


class CustomBuildHook(plugin.MypycBuildHook):
    """Compiles modules of ``server``; hatch-mypyc would take the first directory of several."""

    package_source = "server"
