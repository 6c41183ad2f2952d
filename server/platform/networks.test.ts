import { expect, test } from "vitest";
import { networkOf } from "#server/platform/networks.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:0201", "192.0.2.1"],
  ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["::192.0.2.1", "192.0.2.1"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8:ffff:ffff::/64"],
  ["", "unknown"],
  ["127.1", "unknown"],
  ["0x7f.0.0.1", "unknown"],
  ["2130706433", "unknown"],
  ["2001:db8::/64", "unknown"],
  ["2001:db8:::1", "unknown"],
  ["unix:", "unknown"],
  ["192.0.2.1, 192.0.2.2", "unknown"],
  ["1.2.3.999", "unknown"],
])("%s counts for %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
