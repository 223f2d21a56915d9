/** A browser that runs no scripts: it keeps cookies, follows links and redirects, and sends the forms that stand on a page. */

type Fields = Record<string, string | string[]>;

export type Page = {
  /** Path and query. */
  path: string;
  status: number;
  html: string;
  /** What stands on the page, without tags. */
  text: string;
  /** Path of the first link whose accessible name fits. */
  link(text: RegExp): string;
};

export type ScriptlessBrowser = {
  page(): Page;
  /** Opens a path, or an address whose origin is left aside, and follows redirects. */
  open(path: string): Promise<Page>;
  follow(text: RegExp): Promise<Page>;
  /** Sends the form with this button as it stands, with `fields` in place of what its fields hold. A field must be there. */
  send(button: RegExp, fields?: Fields): Promise<Page>;
  /** Someone who has got hold of the cookies as they are now. */
  copy(origin: string): ScriptlessBrowser;
  /** The same person at another process behind the same address. */
  at(origin: string): void;
  /** As `open`, and the answer is given as it is. */
  get(path: string): Promise<Response>;
};

const REDIRECTS = 5;

export function openScriptlessBrowser(firstOrigin: string, kept: Iterable<[string, string]> = []): ScriptlessBrowser {
  let origin = firstOrigin;
  let current: Page | undefined;
  const cookies = new Map<string, string>(kept);

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${origin}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...init.headers, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: AbortSignal.timeout(20_000),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function arrive(path: string, init?: RequestInit): Promise<Page> {
    let response = await ask(path, init);
    let at = path;
    for (let hop = 0; response.status >= 300 && response.status < 400; hop += 1) {
      if (hop === REDIRECTS) throw new Error(`${path} leads from redirect to redirect`);
      await response.body?.cancel();
      const next = new URL(response.headers.get('location') ?? '', `${origin}${at}`);
      at = `${next.pathname}${next.search}`;
      response = await ask(at);
    }
    current = readPage(at, response.status, await response.text());
    return current;
  }

  const page = () => {
    if (current === undefined) throw new Error('no page is open');
    return current;
  };
  return {
    page,
    copy: (another) => openScriptlessBrowser(another, cookies),
    get: (path) => ask(path),
    at(another) {
      origin = another;
    },
    open(path) {
      const url = new URL(path, origin);
      return arrive(`${url.pathname}${url.search}`);
    },
    follow: async (text) => arrive(page().link(text)),
    async send(button, fields = {}) {
      const { action, body } = fillIn(page(), button, fields);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
      return arrive(action, { method: 'POST', body: body.toString(), headers });
    },
  };
}

function readPage(path: string, status: number, html: string): Page {
  return {
    path,
    status,
    html,
    text: textOf(/<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? html),
    link(text) {
      for (const [, tag = '', inner = ''] of html.matchAll(/<a\b([^>]*)>([\s\S]*?)<\/a>/g))
        if (text.test(attribute(tag, 'aria-label') ?? textOf(inner))) return attribute(tag, 'href') ?? '';
      throw new Error(`no link ${text} at ${path} (${status}): ${textOf(html).slice(0, 2_000)}`);
    },
  };
}

function fillIn(page: Page, button: RegExp, fields: Fields): { action: string; body: URLSearchParams } {
  for (const [, form = '', inner = ''] of page.html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    const pressed = [...inner.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)].find(
      ([, tag = '', words = '']) => button.test(textOf(words)) || button.test(attribute(tag, 'aria-label') ?? ''),
    );
    if (pressed === undefined) continue;
    const entries = fieldsOf(inner);
    for (const [name, value] of Object.entries(fields)) {
      if (!inner.includes(`name="${name}"`))
        throw new Error(`the form at ${page.path} has no field ${name}, only ${[...new Set(entries.map(([one]) => one))]}`);
      const kept = entries.filter(([one]) => one !== name);
      entries.splice(0, entries.length, ...kept, ...[value].flat().map((one): [string, string] => [name, one]));
    }
    const [, tag = ''] = pressed;
    const name = attribute(tag, 'name');
    if (name !== undefined) entries.push([name, attribute(tag, 'value') ?? '']);
    const action = attribute(tag, 'formaction') ?? attribute(form, 'action') ?? page.path;
    return { action, body: new URLSearchParams(entries) };
  }
  throw new Error(`no form with ${button} at ${page.path} (${page.status}): ${page.text.slice(0, 2_000)}`);
}

/** What a browser would send of a form as it stands. */
function fieldsOf(form: string): [string, string][] {
  const entries: [string, string][] = [];
  const fields = /<(input)\b([^>]*)>|<(textarea|select)\b([^>]*)>([\s\S]*?)<\/\3>/g;
  for (const [, input, inputTag, other, otherTag, inner = ''] of form.matchAll(fields)) {
    const kind = input ?? other;
    const tag = inputTag ?? otherTag ?? '';
    const name = attribute(tag, 'name');
    if (name === undefined || / disabled=/.test(tag)) continue;
    if (kind === 'textarea') entries.push([name, decoded(inner.replace(/^\n/, ''))]);
    else if (kind === 'select') {
      const options = [...inner.matchAll(/<option\b([^>]*)>([\s\S]*?)<\/option>/g)];
      const chosen = options.find(([, option = '']) => / selected=/.test(option)) ?? options[0];
      if (chosen !== undefined) entries.push([name, attribute(chosen[1] ?? '', 'value') ?? textOf(chosen[2] ?? '')]);
    } else if (!/^(checkbox|radio)$/.test(attribute(tag, 'type') ?? '')) entries.push([name, attribute(tag, 'value') ?? '']);
    else if (/ checked=/.test(tag)) entries.push([name, attribute(tag, 'value') ?? 'on']);
  }
  return entries;
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'i').exec(tag)?.[1];
  return found === undefined ? undefined : decoded(found);
}

const textOf = (html: string) =>
  decoded(
    html
      .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal ? String.fromCodePoint(Number(decimal)) : (NAMED[name] ?? whole);
  });
