import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

/** Where the two files are served, and their names as people keep them. */
const FOLDER = 'verifier';
const folder = import.meta.dirname;
const root = join(folder, '..', '..');

/** The texts that the verifier says, of all that belong to the audit log. */
const onlyItsTexts: Plugin = {
  name: 'quorate:verifier-texts',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('/locales/en/audit.json')) return undefined;
    const { checks, verify } = JSON.parse(await readFile(id, 'utf8')) as Record<string, unknown>;
    return { code: JSON.stringify({ checks, verify }), moduleType: 'json' };
  },
};

/**
 * The verifier as one file for Node and one page for a browser, by name: nothing else is needed to run them. Neither is made smaller than it
 * is written, since whoever relies on one may want to read it.
 */
export async function verifierFiles(): Promise<Map<string, string>> {
  const [program, script, html, style] = await Promise.all([
    bundle('one-file.ts', true),
    bundle('page.ts', false),
    readFile(join(folder, 'page.html'), 'utf8'),
    readFile(join(folder, 'page.css'), 'utf8'),
  ]);
  // In one line a closing tag inside a text would end the script.
  const safe = script.replaceAll('</', '<\\/');
  const policy = `default-src 'none'; script-src '${digest(safe)}'; style-src '${digest(style)}'; base-uri 'none'; form-action 'none'`;
  const page = html
    .replace('<meta charset="utf-8">', (meta) => `${meta}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('  </head>', () => `  <style>${style}</style>\n  </head>`)
    .replace('  </body>', () => `  <script type="module">${safe}</script>\n  </body>`);
  return new Map([
    ['quorate-verify.mjs', program],
    ['quorate-verify.html', page],
  ]);
}

const digest = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

async function bundle(entry: string, forNode: boolean): Promise<string> {
  const made = await build({
    root,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [onlyItsTexts],
    ...(forNode && { ssr: { noExternal: true, target: 'node' } }),
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      target: forNode ? 'node20' : 'es2022',
      ...(forNode && { ssr: true }),
      rolldownOptions: { input: join(folder, entry), output: { codeSplitting: false } },
    },
  });
  const [first] = [made].flat();
  if (first === undefined || !('output' in first)) throw new Error('the verifier was not built');
  const [chunk, ...others] = first.output;
  if (others.length > 0) throw new Error('the verifier is more than one file');
  return chunk.code;
}

/** Puts both files beside those of the browser; in development they are made when they are asked for. */
export const verifierPlugin: Plugin = {
  name: 'quorate:verifier',
  async generateBundle() {
    if (this.environment.name !== 'client') return;
    for (const [name, source] of await verifierFiles()) this.emitFile({ type: 'asset', fileName: `${FOLDER}/${name}`, source });
  },
  configureServer(server) {
    server.middlewares.use(`/${FOLDER}/`, (request, response, next) => {
      const answer = async () => {
        const source = (await verifierFiles()).get((request.url ?? '').slice(1));
        if (source === undefined) return next();
        response.setHeader('content-type', request.url?.endsWith('.html') ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8');
        response.end(source);
      };
      answer().catch(next);
    });
  },
};
