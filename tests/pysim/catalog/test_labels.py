"""Does the quick reading of names say what the whole files say?"""

import pysim
from pysim.catalog.labels import labels


def test_models_are_called_what_their_files_call_them() -> None:
    assert [(each.key, each.name) for each in labels("models")] == [
        (key, pysim.load_model(key).name) for key in pysim.model_keys()
    ]


def test_devices_have_the_name_family_and_memory_of_their_files() -> None:
    for each in labels("devices"):
        device = pysim.load_device(each.key)
        assert (each.name, each.family, each.memory_bytes) == (device.name, device.family, device.memory_bytes)
        assert each.sizes_bytes == device.sizes_bytes
