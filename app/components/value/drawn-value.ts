import type { MarkdownNode } from '#app/components/value/markdown-node.ts';

/** One line of a tree. `text`: a plain value as JSON writes it; `size`: entries of a list or an object. */
export type TreeNode = {
  /** A property's name, or the place in a list from 0. */
  key: string | number;
  pointer: string;
  text?: string;
  /** The text goes on where the node is opened by itself. */
  cut?: true;
  size?: number;
  isList?: boolean;
  /** The first entries. Absent: none are drawn here, and the node is opened by itself. */
  children?: TreeNode[];
};

/** A value, or a part of it, in the form that fits it. `from`: entries left out before; `size`: all of them. */
export type DrawnPart =
  | { as: 'text'; text: string; cut: boolean }
  | { as: 'markdown'; nodes: MarkdownNode[] }
  | { as: 'table'; columns: string[]; rows: { key: number; pointer: string; cells: TableCell[] }[]; from: number; size: number }
  | { as: 'facts'; entries: { key: string; pointer: string; value: DrawnPart }[] }
  | { as: 'tree'; nodes: TreeNode[]; from: number; size: number; isList: boolean };

/** `size`: the cell is a list or an object with so many entries. */
export type TableCell = { text: string; cut: boolean } | { size: number; pointer: string } | null;

/** A found place: what stands there, around the words; empty for a list or an object. */
export type FoundPlace = { pointer: string; text: string };

/** A value as a page draws it: the part that is open, in the form that fits it. */
export type DrawnValue = {
  /** '' for the whole value. */
  pointer: string;
  /** Bytes (UTF-8) of all of it as formatted JSON. */
  bytes: number;
  /** Something invisible stands in it. */
  hides: boolean;
  part: DrawnPart;
  found: { words: string; places: FoundPlace[]; more: boolean } | null;
};

/** The open part of a value: a JSON Pointer ('' for all of it), how many of its entries are left out before, and words to look for. */
export type ValueOpening = { pointer: string; from: number; find: string | null };
