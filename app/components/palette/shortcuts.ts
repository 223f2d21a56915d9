/** Keys that do something, by where they do. Their words: `shortcut.<id>` and `shortcutGroup.<id>` of the namespace `help`. */
export const SHORTCUT_GROUPS = [
  {
    id: 'everywhere',
    shortcuts: [
      { id: 'search', keys: ['Ctrl', 'K'] },
      { id: 'sheet', keys: ['?'] },
      { id: 'sidebar', keys: ['Ctrl', 'B'] },
      { id: 'messages', keys: ['F8'] },
      { id: 'close', keys: ['Esc'] },
      { id: 'skip', keys: ['Tab'] },
    ],
  },
  {
    id: 'approvals',
    shortcuts: [
      { id: 'after', keys: ['J'] },
      { id: 'before', keys: ['K'] },
      { id: 'approve', keys: ['A'] },
      { id: 'reject', keys: ['R'] },
    ],
  },
  {
    id: 'picture',
    shortcuts: [
      { id: 'add', keys: ['Ctrl', 'Enter'] },
      { id: 'move', keys: ['Alt', '→'] },
      { id: 'select', keys: ['Shift', '→'] },
      { id: 'selectAll', keys: ['Ctrl', 'A'] },
      { id: 'duplicate', keys: ['Ctrl', 'D'] },
      { id: 'undo', keys: ['Ctrl', 'Z'] },
      { id: 'redo', keys: ['Ctrl', 'Y'] },
      { id: 'delete', keys: ['Delete'] },
    ],
  },
] as const;

export type ShortcutGroup = (typeof SHORTCUT_GROUPS)[number];
export type Shortcut = ShortcutGroup['shortcuts'][number];
