// For --import: a hang is found four times as fast. The limits keep their proportions.
import { bounds } from "../../scripts/lib/watchdog.mjs";

bounds.lookMs /= 4;
