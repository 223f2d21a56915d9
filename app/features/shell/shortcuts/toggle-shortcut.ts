type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'isComposing'> & {
  target: EventTarget | null;
};

/** Ctrl or Cmd plus B, but not while someone types: there it means bold, or the letter. */
export function isToggleShortcut(event: Keys): boolean {
  if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  return !event.repeat && !event.isComposing && !isTyping(event.target);
}

/** True where keys write. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]:not([contenteditable="false"])') !== null;
}
