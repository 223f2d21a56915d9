/** Of served HTML: where a text that turns the direction of reading would take other words along. */

/** Boxes of their own: what is turned inside stays inside (HTML, rendering, `unicode-bidi: isolate`). */
const BOXES =
  /^(?:address|article|aside|bdi|blockquote|body|button|caption|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|html|input|legend|li|main|menu|nav|ol|option|output|p|pre|search|section|select|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul)$/;
const BOX_CLASS = /(?:^|\s)(?:inline-block|inline-flex|inline-grid|flex|grid|block|sr-only|line-clamp-\d|absolute|truncate)(?:\s|$)/;
const ROW_CLASS = /(?:^|\s)(?:inline-flex|inline-grid|flex|grid)(?:\s|$)/;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

type Box = { tag: string; isBox: boolean; isRow: boolean; box: Box; texts: string[] };

/**
 * The texts that hold a turning character and share their box with other words.
 * @param turns matches such a character
 * @param starts matches a text that is someone's from its beginning on
 */
export function sharedTurns(html: string, turns: RegExp, starts: RegExp): string[] {
  const found: string[] = [];
  const root: Box = { tag: '', isBox: true, isRow: false, texts: [] } as unknown as Box;
  root.box = root;
  const open: Box[] = [root];
  const close = (one: Box) => {
    const turned = one.isBox ? one.texts.filter((text) => turns.test(text)) : [];
    if (turned.length > 0 && (one.texts.length > 1 || turned.some((text) => !starts.test(text))))
      found.push(`<${one.tag}> ${one.texts.join(' | ')}`);
  };
  const body = html.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '');
  for (const [, comment, closing, tag = '', attributes = '', text] of body.matchAll(
    /(<!--[\s\S]*?-->|<!doctype[^>]*>)|<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>|([^<]+)/gi,
  )) {
    const top = open.at(-1) ?? root;
    if (comment !== undefined) continue;
    if (text !== undefined) {
      if (text.trim() !== '') top.box.texts.push(text.trim());
    } else if (closing === '/') {
      while (open.length > 1) {
        const one = open.pop();
        if (one !== undefined) close(one);
        if (one?.tag === tag) break;
      }
    } else if (!VOID.test(tag) && !attributes.endsWith('/')) {
      const classes = /\sclass="([^"]*)"/.exec(attributes)?.[1] ?? '';
      const isBox = top.isRow || BOXES.test(tag) || /\sdir="/.test(attributes) || BOX_CLASS.test(classes);
      const one: Box = { tag, isBox, isRow: ROW_CLASS.test(classes), texts: [], box: root };
      one.box = isBox ? one : top.box;
      open.push(one);
    }
  }
  return found;
}
