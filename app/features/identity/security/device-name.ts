import { unknownDevice } from "#shared/activity.ts";
import * as words from "#messages/security.json";

/** The name of a device, or of a passkey on it, as the server knows it. */
export const deviceName = (name: string) => (name === unknownDevice ? words.unknownDevice : name);
