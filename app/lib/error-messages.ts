/**
 * The sentence for a connection or a server that is down; in a file of its own, for pages that send nothing
 * themselves. And the one for unexpected errors, on a page of its own.
 */
export {
  unexpected as unexpectedMessage,
  unreachable as unreachableMessage,
} from "#messages/shell.json";
