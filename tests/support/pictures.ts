/** Pictures of the least that makes one. What a browser would draw of them does not matter. */
const chunk = (name: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content, Buffer.alloc(4)]);
};
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** @param size of the whole file in bytes, 100 at least; `notes`: chunks before the picture itself */
export function pngOf(width: number, height: number, size = 100, notes: Record<string, string> = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  const before = [SIGNATURE, chunk('IHDR', header), ...Object.entries(notes).map(([name, text]) => chunk(name, Buffer.from(text)))];
  const end = chunk('IEND', Buffer.alloc(0));
  const left = size - [...before, end].reduce((sum, { length }) => sum + length, 0) - 12;
  return Buffer.concat([...before, chunk('IDAT', Buffer.alloc(Math.max(1, left))), end]);
}
