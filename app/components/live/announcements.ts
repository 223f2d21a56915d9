/** How long a message stays in the live region. */
export const ANNOUNCEMENT_MS = 1_000;

export type Announcement = { id: number; text: string };
export type Announcements = ReturnType<typeof createAnnouncements>;

/** Messages to screen readers. Each is an element of its own, so that the same words twice are spoken twice; each goes after a second. */
export function createAnnouncements() {
  let next = 1;
  let waiting: readonly Announcement[] = [];
  const listeners = new Set<() => void>();
  const replace = (list: readonly Announcement[]) => {
    waiting = list;
    for (const listener of listeners) listener();
  };
  return {
    announce(text: string): void {
      const id = next++;
      replace([...waiting, { id, text }]);
      setTimeout(() => replace(waiting.filter((one) => one.id !== id)), ANNOUNCEMENT_MS);
    },
    list: () => waiting,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
