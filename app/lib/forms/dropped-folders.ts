/** Files in more folders than anybody brings: who looks at them says that they are too many. */
const most = 250_000;

/**
 * The files that are dropped, those in folders too, which know their place as if the folder had been chosen. Reads
 * the drop at once: after its event there is nothing in it. A folder that cannot be read stays a file that cannot.
 */
export async function filesDropped({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const plain = [...files];
  if (!entries.some(({ isDirectory }) => isDirectory)) return plain;
  return filesIn(entries).catch(() => plain);
}

async function filesIn(entries: FileSystemEntry[]): Promise<File[]> {
  const found: File[] = [];
  // What is in a folder comes after all that is beside it.
  for (const entry of entries) {
    if (found.length === most) break;
    if (!isFolder(entry)) found.push(await fileOf(entry as FileSystemFileEntry));
    else for (const inside of await entriesIn(entry)) entries.push(inside);
  }
  return found;
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A browser answers a hundred at a time, and none after the last. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject);
  });
  const path = entry.fullPath.slice(1);
  return path.includes("/")
    ? Object.defineProperty(file, "webkitRelativePath", { value: path })
    : file;
}
