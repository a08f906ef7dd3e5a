"""Symbol graphs of the library products: what a program that imports them sees."""

import os
import re
import shutil
import subprocess

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', '..'))
# The modules that are documented with the one that exports them.
EXPORTED = {'AssetLibrary': 'Pixels', 'PhotoPicker': 'Export'}


def toolchain():
    """The folder of the toolchain's programs."""
    return os.path.dirname(os.path.realpath(shutil.which('swift')))


def includes(build):
    """Options with which the compiler finds the modules in a build folder."""
    modules = os.path.join(build, 'debug')
    # The folders of the modules that the products' modules were compiled with.
    maps = {}
    for top in (f'{ROOT}/Sources/C', f'{build}/checkouts', modules):
        for folder, _, files in os.walk(top):
            # The headers of Swift's own modules are in the sibling folder.
            if 'module.modulemap' in files and not folder.endswith('.build/include'):
                with open(os.path.join(folder, 'module.modulemap')) as f:
                    maps.setdefault(re.search(r'module (\w+)', f.read())[1], os.path.join(folder, 'module.modulemap'))
    options = [f'-I{modules}/Modules']
    for path in maps.values():
        options += [f'-I{os.path.dirname(path)}', '-Xcc', f'-fmodule-map-file={path}']
    return options


def extract(module, build, folder, run=subprocess.check_call):
    """Writes the graphs of a module, and of what it exports, to a folder."""
    target = subprocess.run(['swift', '-print-target-info'], check=True, capture_output=True, text=True).stdout
    target = target.split('"triple": "')[1].split('"')[0]
    os.makedirs(folder, exist_ok=True)
    run([os.path.join(toolchain(), 'swift-symbolgraph-extract'), '-module-name', module, '-target', target,
         *includes(build), '-minimum-access-level', 'public', '-output-dir', folder,
         f'-experimental-allowed-reexported-modules={EXPORTED.get(module, "")}'])
