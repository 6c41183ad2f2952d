import { createElement, type ReactElement, type SVGAttributes } from "react";
import sheet from "#app/ui/icons.svg?url";

type Attributes = SVGAttributes<SVGSVGElement> & { weight?: "regular" | "fill" };
export type Icon = (attributes: Attributes) => ReactElement;

/**
 * An icon is a `<use>` of one sheet: docs/decisions/0026-what-a-first-visit-loads.md. To add one: a line
 * below and two symbols in icons.svg, `Name` and `Name-fill`, with the paths of phosphoricons.com's SVG in
 * the weights regular and fill.
 *
 * @__NO_SIDE_EFFECTS__ so that a screen includes only its own icons.
 */
function fromSheet(name: string): Icon {
  return ({ weight, ...attributes }) =>
    createElement(
      "svg",
      { width: "1em", height: "1em", fill: "currentColor", ...attributes },
      createElement("use", { href: `${sheet}#${name}${weight === "fill" ? "-fill" : ""}` }),
    );
}

export const ArrowClockwiseIcon = fromSheet("ArrowClockwise");
export const ArrowDownIcon = fromSheet("ArrowDown");
export const ArrowUpIcon = fromSheet("ArrowUp");
export const AtIcon = fromSheet("At");
export const BellIcon = fromSheet("Bell");
export const BellSlashIcon = fromSheet("BellSlash");
export const BookmarkSimpleIcon = fromSheet("BookmarkSimple");
export const CameraIcon = fromSheet("Camera");
export const CaretLeftIcon = fromSheet("CaretLeft");
export const CaretRightIcon = fromSheet("CaretRight");
export const ChatCircleIcon = fromSheet("ChatCircle");
export const CheckCircleIcon = fromSheet("CheckCircle");
export const DeviceMobileIcon = fromSheet("DeviceMobile");
export const DeviceTabletIcon = fromSheet("DeviceTablet");
export const DotsThreeIcon = fromSheet("DotsThree");
export const EnvelopeSimpleIcon = fromSheet("EnvelopeSimple");
export const FlagIcon = fromSheet("Flag");
export const FolderIcon = fromSheet("Folder");
export const GearSixIcon = fromSheet("GearSix");
export const GithubLogoIcon = fromSheet("GithubLogo");
export const GoogleLogoIcon = fromSheet("GoogleLogo");
export const HeartIcon = fromSheet("Heart");
export const HouseIcon = fromSheet("House");
export const IdentificationBadgeIcon = fromSheet("IdentificationBadge");
export const ImageBrokenIcon = fromSheet("ImageBroken");
export const ImageIcon = fromSheet("Image");
export const ImagesIcon = fromSheet("Images");
export const KeyIcon = fromSheet("Key");
export const LaptopIcon = fromSheet("Laptop");
export const LinkSimpleIcon = fromSheet("LinkSimple");
export const LockKeyIcon = fromSheet("LockKey");
export const MagnifyingGlassIcon = fromSheet("MagnifyingGlass");
export const PaperPlaneRightIcon = fromSheet("PaperPlaneRight");
export const PauseIcon = fromSheet("Pause");
export const PlayIcon = fromSheet("Play");
export const PlusSquareIcon = fromSheet("PlusSquare");
export const ShareFatIcon = fromSheet("ShareFat");
export const ShieldCheckIcon = fromSheet("ShieldCheck");
export const SignInIcon = fromSheet("SignIn");
export const SignOutIcon = fromSheet("SignOut");
export const SmileyIcon = fromSheet("Smiley");
export const StarIcon = fromSheet("Star");
export const TerminalWindowIcon = fromSheet("TerminalWindow");
export const TextAlignLeftIcon = fromSheet("TextAlignLeft");
export const TrashIcon = fromSheet("Trash");
export const UserIcon = fromSheet("User");
export const UserPlusIcon = fromSheet("UserPlus");
export const UsersIcon = fromSheet("Users");
export const WarningCircleIcon = fromSheet("WarningCircle");
export const XIcon = fromSheet("X");
