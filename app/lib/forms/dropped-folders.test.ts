import { expect, test } from "vitest";
import { filesDropped } from "#app/lib/forms/dropped-folders.ts";

type Tree = { [name: string]: Tree | File };

/** What a browser says of a file or a folder that was dropped; a folder is answered in parts. */
function entryOf(name: string, of: Tree | File, above = ""): object {
  const fullPath = `${above}/${name}`;
  if (of instanceof File) {
    return { isDirectory: false, fullPath, file: (resolve: (file: File) => void) => resolve(of) };
  }
  const children = Object.entries(of).map(([child, each]) => entryOf(child, each, fullPath));
  const createReader = () => {
    const left = [...children];
    return { readEntries: (resolve: (some: object[]) => void) => resolve(left.splice(0, 100)) };
  };
  return { isDirectory: true, fullPath, createReader };
}

function dropOf(tree: Tree): DataTransfer {
  const items = Object.entries(tree).map(([name, of]) => ({
    webkitGetAsEntry: () => entryOf(name, of),
  }));
  const files = Object.entries(tree).map(([name, of]) =>
    of instanceof File ? of : new File([], name),
  );
  return { items, files } as unknown as DataTransfer;
}

const file = (name: string) => new File(["x"], name);

test("a dropped folder is all its files, which know where they are", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, nth) => [`${nth}.jpg`, file(`${nth}.jpg`)]),
  );
  const found = await filesDropped(
    dropOf({ Holiday: { "a.jpg": file("a.jpg"), Sea: many, Empty: {} }, "b.jpg": file("b.jpg") }),
  );
  expect(found).toHaveLength(252);
  expect(found.map(({ webkitRelativePath, name }) => webkitRelativePath || name)).toEqual(
    expect.arrayContaining(["Holiday/a.jpg", "Holiday/Sea/0.jpg", "Holiday/Sea/249.jpg", "b.jpg"]),
  );
});

test("a folder of more files than a call may have arguments is all its files", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 150_000 }, (_, nth) => [nth, file("a.jpg")]),
  );
  expect(await filesDropped(dropOf({ Camera: many }))).toHaveLength(150_000);
});

const readEntries = (_: unknown, reject: (why: Error) => void) => reject(new Error("gone"));

test("a folder that cannot be read is what was dropped, and reading that fails", async () => {
  const dropped = dropOf({ Holiday: {} });
  const broken = { isDirectory: true, fullPath: "/Holiday", createReader: () => ({ readEntries }) };
  const items = [{ webkitGetAsEntry: () => broken }] as unknown as DataTransferItemList;
  expect(await filesDropped({ ...dropped, items })).toEqual([...dropped.files]);
});

test("files alone are what was dropped", async () => {
  const dropped = dropOf({ "a.zip": file("a.zip") });
  expect(await filesDropped(dropped)).toEqual([...dropped.files]);
});
