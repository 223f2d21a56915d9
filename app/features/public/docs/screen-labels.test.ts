import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LANGUAGES } from '#app/domain/web/languages.ts';

type Texts = { readonly [key: string]: Texts | string };

/** A control or page that the documentation mentions, and where to find it on the screen. */
const NAMED: readonly [said: string, written: string][] = [
  ['start.run.first', 'shell:item.workflows'],
  ['start.run.first', 'workflows:detail.run'],
  ['start.run.fourth', 'shell:approvals'],
  ['start.run.fifth', 'shell:item.audit'],
  ['connect.mcp.first', 'shell:item.plugins'],
  ['connect.mcp.first', 'connections:mcp.connect'],
  ['connect.mcp.first', 'shell:item.marketplace'],
  ['connect.a2a.first', 'shell:item.agents'],
  ['connect.a2a.first', 'agents:list.connect'],
];

function textAt(language: string, namespace: string, key: string): string {
  const file = new URL(`../../../../locales/${language}/${namespace}.json`, import.meta.url);
  const found = key
    .split('.')
    .reduce<Texts | string>((texts, part) => (texts as Texts)[part] ?? '', JSON.parse(readFileSync(file, 'utf8')));
  if (typeof found !== 'string' || found === '') throw new Error(`no text ${language} ${namespace}:${key}`);
  return found;
}

it.each(LANGUAGES)('names what stands on the screens in the words of the screens (%s)', (language) => {
  for (const [said, written] of NAMED) {
    const [namespace = '', key = ''] = written.split(':');
    expect(textAt(language, 'docs', said)).toContain(textAt(language, namespace, key));
  }
});
