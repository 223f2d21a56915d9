import { readFileSync } from 'node:fs';
import { RouterContextProvider } from 'react-router';
import { describe, expect, it } from 'vitest';
import { inReadersLanguage, inShippedWords, sayShipped } from '#app/components/shipped-texts.server.ts';
import { LANGUAGES, type Language } from '#app/domain/languages.ts';
import { WORKFLOW_TEMPLATES } from '#app/domain/workflow-templates.ts';
import { languageMiddleware } from '#app/platform/i18n/i18n.server.ts';
import { shippedTexts } from '#app/platform/i18n/shipped-texts.server.ts';
import { type MemberAccess, memberContext } from '#app/request-context.ts';

const OTHERS = LANGUAGES.filter((language) => language !== 'en');

async function readerOf(language: Language, isDemo = true): Promise<RouterContextProvider> {
  const context = new RouterContextProvider();
  const request = new Request(`http://localhost/?lng=${language}`);
  const [detect] = languageMiddleware;
  if (detect === undefined) return expect.fail('a middleware is expected');
  const step = { request, context, params: {}, url: new URL(request.url), pattern: '/' } as Parameters<typeof detect>[0];
  await detect(step, async () => new Response());
  context.set(memberContext, { member: { workspace: { isDemo } } } as unknown as MemberAccess);
  return context;
}

describe.each(OTHERS)('a reader of %s', (language) => {
  it('reads every name, step, question and field of the shipped workflows, and their samples', async () => {
    const context = await readerOf(language);
    for (const { document } of WORKFLOW_TEMPLATES) {
      const shown = inReadersLanguage(context, document);
      const names = (steps: typeof document.steps): string[] =>
        steps.flatMap((step) => [step.name, ...(step.kind === 'branch' ? step.branches.flatMap((branch) => names(branch.steps)) : [])]);
      const read = [...names(shown.steps), ...shown.input.map(({ title }) => title)];
      const written = [...names(document.steps), ...document.input.map(({ title }) => title)];
      expect(read.filter((text) => written.includes(text))).toEqual([]);
      const say = sayShipped(context);
      for (const { name, input } of document.samples ?? []) {
        expect(say(name)).not.toBe(name);
        const sentences = Object.values(input).filter((value) => typeof value === 'string' && / .* /.test(value) && !value.includes('\n'));
        for (const sentence of sentences)
          expect(say(String(sentence)), String(sentence)).toSatisfy(
            (text) => text !== sentence || /^[A-Z]\w+ [A-Z]\w+ [A-Z]\w+$/.test(sentence as string),
          );
      }
    }
  });

  it('reads the policies that a workspace begins with', () => {
    const migration = readFileSync('supabase/migrations/20261122160200_shipped_policies.sql', 'utf8');
    const shipped = [...migration.matchAll(/\('([^']+)', '([^']+)', '[a-z-]+',/g)].flatMap(([, name = '', description = '']) => [
      name,
      description,
    ]);
    expect(shipped).toHaveLength(6);
    expect(shipped.filter((text) => !shippedTexts(language).has(text))).toEqual([]);
  });
});

describe('the words of the demo', () => {
  it('stand for those that were written, and for nothing that was given, called or returned', async () => {
    const context = await readerOf('de');
    const given = { name: 'Request', payee: 'Letter' };
    const at = new Date();
    const run = {
      workflow: { name: 'Payment screening' },
      input: given,
      output: given,
      error: { key: 'x', values: { step: 'Screen the payee' } },
      at,
    };
    expect(inReadersLanguage(context, run)).toEqual({
      workflow: { name: 'Zahlungsprüfung' },
      input: given,
      output: given,
      error: { key: 'x', values: { step: 'Zahlungsempfänger abgleichen' } },
      at,
    });
    expect(
      inReadersLanguage(context, {
        approval: { title: 'An officer decides', votes: [{ reason: 'Found' }], input: [{ name: 'Payee', value: 'Letter' }] },
      }),
    ).toEqual({
      approval: {
        title: 'Die Sachbearbeitung entscheidet',
        votes: [{ reason: 'Found' }],
        input: [{ name: 'Zahlungsempfänger', value: 'Letter' }],
      },
    });
  });

  it('are those of the author in any other workspace, and in English', async () => {
    const data = { name: 'Payment screening' };
    expect(inReadersLanguage(await readerOf('de', false), data)).toBe(data);
    expect(inReadersLanguage(await readerOf('en'), data)).toBe(data);
  });

  it('are found by those that the reader sees', async () => {
    expect(inShippedWords(await readerOf('de'), 'zahlungspr')).toBe('Payment screening');
    expect(inShippedWords(await readerOf('de'), 'invoice')).toBe('invoice');
    expect(inShippedWords(await readerOf('en'), 'zahlungspr')).toBe('zahlungspr');
  });
});
