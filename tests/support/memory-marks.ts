import type { LogMark, LogMarks } from '#app/contracts/ports.ts';

/** Marks of logs for a test that has no data directory. `accept` is what a person does after a restore. */
export function memoryMarks(): LogMarks & { accept(workspaceId: string): void; marks: Map<string, LogMark> } {
  const marks = new Map<string, LogMark>();
  const write = (workspaceId: string, note: string) => {
    const [, size = '', root = ''] = note.split('\n');
    marks.set(workspaceId, { head: { size: Number(size), root: new Uint8Array(Buffer.from(root, 'base64')) }, accepted: false });
  };
  return {
    marks,
    read: async (workspaceId) => marks.get(workspaceId) ?? null,
    advance: write,
    replace: async (workspaceId, note) => write(workspaceId, note),
    accept(workspaceId) {
      const mark = marks.get(workspaceId);
      if (mark !== undefined) marks.set(workspaceId, { ...mark, accepted: true });
    },
  };
}
