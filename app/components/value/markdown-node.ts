/** The elements that Markdown may become. Whatever else stands in a text stays text. */
export type MarkdownTag =
  | 'p'
  | 'h'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'pre'
  | 'code'
  | 'em'
  | 'strong'
  | 's'
  | 'a'
  | 'image'
  | 'br'
  | 'hr'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td';

/** A text, or an element with what is in it. `href`: http, https or mailto; `start`: the first number of a list. */
export type MarkdownNode = string | { tag: MarkdownTag; href?: string; start?: number; children?: MarkdownNode[] };
