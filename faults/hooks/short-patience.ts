// For --import: a hang is found four times as fast. The bounds stay as they are in proportion.
import { bounds } from "../../scripts/lib/watchdog.mjs";

bounds.lookMs /= 4;
