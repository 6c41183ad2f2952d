/**
 * The icons we draw, each imported alone so that a screen carries only its own.
 * Two weights exist in the build: regular, and `weight="fill"` for what is active (vite.config.ts).
 */
export { ArrowClockwiseIcon } from "@phosphor-icons/react/dist/csr/ArrowClockwise";
export { ArrowDownIcon } from "@phosphor-icons/react/dist/csr/ArrowDown";
export { ArrowUpIcon } from "@phosphor-icons/react/dist/csr/ArrowUp";
export { BellIcon } from "@phosphor-icons/react/dist/csr/Bell";
export { BellSlashIcon } from "@phosphor-icons/react/dist/csr/BellSlash";
export { BookmarkSimpleIcon } from "@phosphor-icons/react/dist/csr/BookmarkSimple";
export { CameraIcon } from "@phosphor-icons/react/dist/csr/Camera";
export { CaretLeftIcon } from "@phosphor-icons/react/dist/csr/CaretLeft";
export { CaretRightIcon } from "@phosphor-icons/react/dist/csr/CaretRight";
export { ChatCircleIcon } from "@phosphor-icons/react/dist/csr/ChatCircle";
export { CheckCircleIcon } from "@phosphor-icons/react/dist/csr/CheckCircle";
export { DeviceMobileIcon } from "@phosphor-icons/react/dist/csr/DeviceMobile";
export { DeviceTabletIcon } from "@phosphor-icons/react/dist/csr/DeviceTablet";
export { DotsThreeIcon } from "@phosphor-icons/react/dist/csr/DotsThree";
export { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/csr/EnvelopeSimple";
export { FolderIcon } from "@phosphor-icons/react/dist/csr/Folder";
export { GearSixIcon } from "@phosphor-icons/react/dist/csr/GearSix";
export { GithubLogoIcon } from "@phosphor-icons/react/dist/csr/GithubLogo";
export { GoogleLogoIcon } from "@phosphor-icons/react/dist/csr/GoogleLogo";
export { HeartIcon } from "@phosphor-icons/react/dist/csr/Heart";
export { HouseIcon } from "@phosphor-icons/react/dist/csr/House";
export { IdentificationBadgeIcon } from "@phosphor-icons/react/dist/csr/IdentificationBadge";
export { ImageBrokenIcon } from "@phosphor-icons/react/dist/csr/ImageBroken";
export { ImageIcon } from "@phosphor-icons/react/dist/csr/Image";
export { ImagesIcon } from "@phosphor-icons/react/dist/csr/Images";
export { KeyIcon } from "@phosphor-icons/react/dist/csr/Key";
export { LaptopIcon } from "@phosphor-icons/react/dist/csr/Laptop";
export { LinkSimpleIcon } from "@phosphor-icons/react/dist/csr/LinkSimple";
export { LockKeyIcon } from "@phosphor-icons/react/dist/csr/LockKey";
export { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/csr/MagnifyingGlass";
export { PaperPlaneRightIcon } from "@phosphor-icons/react/dist/csr/PaperPlaneRight";
export { PauseIcon } from "@phosphor-icons/react/dist/csr/Pause";
export { PlayIcon } from "@phosphor-icons/react/dist/csr/Play";
export { PlusSquareIcon } from "@phosphor-icons/react/dist/csr/PlusSquare";
export { ShareFatIcon } from "@phosphor-icons/react/dist/csr/ShareFat";
export { SignInIcon } from "@phosphor-icons/react/dist/csr/SignIn";
export { SignOutIcon } from "@phosphor-icons/react/dist/csr/SignOut";
export { SmileyIcon } from "@phosphor-icons/react/dist/csr/Smiley";
export { TerminalWindowIcon } from "@phosphor-icons/react/dist/csr/TerminalWindow";
export { TextAlignLeftIcon } from "@phosphor-icons/react/dist/csr/TextAlignLeft";
export { TrashIcon } from "@phosphor-icons/react/dist/csr/Trash";
export { UserIcon } from "@phosphor-icons/react/dist/csr/User";
export { WarningCircleIcon } from "@phosphor-icons/react/dist/csr/WarningCircle";
export { XIcon } from "@phosphor-icons/react/dist/csr/X";
export type { Icon } from "@phosphor-icons/react";
