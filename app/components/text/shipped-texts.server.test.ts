import { readFileSync } from 'node:fs';
import { RouterContextProvider } from 'react-router';
import { describe, expect, it } from 'vitest';
import {
  inReadersLanguage,
  inShippedWords,
  inStoredWords,
  sayShipped,
  sentenceInReadersLanguage,
  shownTexts,
} from '#app/components/text/shipped-texts.server.ts';
import type { MemberAccess } from '#app/contracts/access.ts';
import { memberContext, storedTextsContext } from '#app/contracts/request-context.ts';
import { SAMPLE_RUNS } from '#app/domain/demo/sample-runs.ts';
import { LANGUAGES, type Language } from '#app/domain/web/languages.ts';
import { BRANCH_WORDS } from '#app/domain/workflows/template-words.ts';
import { WORKFLOW_TEMPLATES } from '#app/domain/workflows/workflow-templates.ts';
import { builtinConnections } from '#app/engine/connections/builtin-capabilities.ts';
import { languageMiddleware } from '#app/platform/i18n/i18n.server.ts';
import { shippedTexts } from '#app/platform/i18n/shipped-texts.server.ts';

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

  it('reads what the runs of the demo were given and why they were decided', async () => {
    const context = await readerOf(language);
    for (const { input, act } of SAMPLE_RUNS) {
      const run = { input, votes: act !== undefined && 'reason' in act ? [{ voter: 'Abe Approver', reason: act.reason }] : [] };
      const shown = inReadersLanguage(context, run);
      const sentences = (value: unknown) =>
        JSON.stringify(value).match(/"[^"]*(invoice|Please|Minutes|Discharge letter for|passport|list\.)[^"]*"/g);
      expect(sentences(run)).not.toBeNull();
      expect(sentences(shown)).toBeNull();
      expect(inReadersLanguage(context, { output: { note: 'as it was' } })).toEqual({ output: { note: 'as it was' } });
    }
    const masked = 'Discharge letter for Jane Example, [email], telephone [phone].';
    const letters = [...shippedTexts(language).values].filter(([english]) => english.startsWith(masked));
    expect(letters).toHaveLength(1);
    expect(letters[0]?.[1]).toMatch(/\[email\].*\[phone\]/);
    const released = 'Released: 310 EUR to V. Petrenko. Translation, invoice 2024-031';
    expect(inReadersLanguage(context, { output: { note: released } })).not.toEqual({ output: { note: released } });
  });

  it('reads what approving does and what runs are about, with the values in their places', async () => {
    const context = await readerOf(language);
    const say = sentenceInReadersLanguage(context);
    const amount = { amount: 9_900, currency: 'EUR' };
    const shown = say(['Pay ', amount, ' to Jon Smith']);
    expect(shown).not.toEqual(['Pay ', amount, ' to Jon Smith']);
    expect(shown).toContainEqual(amount);
    expect(shown.join('')).toContain('Jon Smith');
    const request = SAMPLE_RUNS.find(({ key }) => key === 'demo-records-waiting')?.input.request as string;
    const own = shippedTexts(language).values.get(request) ?? expect.fail('the request is shipped');
    expect(say([`Release the redacted record: ${request}`]).join('')).toContain(own);
    expect(inReadersLanguage(context, { subject: [request] })).toEqual({ subject: [own] });
    // Words of a person stay, and so does what is digested.
    expect(say(['Pay nobody'])).toEqual(['Pay nobody']);
    expect(say(['\ue000 ', amount])).toEqual(['\ue000 ', amount]);
    expect(inReadersLanguage(context, { subject: { input: { request } } })).toEqual({ subject: { input: { request } } });
  });

  it('reads the branches by their titles, whose labels stay what their paths say', async () => {
    const context = await readerOf(language);
    for (const { document } of WORKFLOW_TEMPLATES) {
      const shown = inReadersLanguage(context, document);
      const branches = shown.steps.flatMap((step) => (step.kind === 'branch' ? step.branches : []));
      const labels = document.steps.flatMap((step) => (step.kind === 'branch' ? step.branches.map(({ label }) => label) : []));
      expect(branches.map(({ label }) => label)).toEqual(labels);
      expect(labels.filter((label) => !Object.hasOwn(BRANCH_WORDS, label))).toEqual([]);
      for (const { label, title } of branches) expect(title ?? label).not.toBe(label);
    }
    const reason = { reason: { key: 'branchTaken', values: { branch: 'certain_hit' } } };
    expect(inReadersLanguage(context, reason)).not.toEqual(reason);
  });

  it('saves a form as it was shown, and what is stored stays the same', async () => {
    const context = await readerOf(language);
    for (const { document } of WORKFLOW_TEMPLATES) {
      const forms = (read: typeof document) => ({
        fields: read.input,
        steps: read.steps.map((step) => ({
          id: step.id,
          name: step.name,
          ...(step.kind === 'approval' && {
            question: step.question,
            sentence: step.sentence,
            show: Object.entries(step.show).map(([name, value]) => ({ name, value })),
          }),
        })),
      });
      expect(inStoredWords(context, forms(inReadersLanguage(context, document)))).toEqual(forms(document));
    }
    expect(inStoredWords(context, { name: 'Mine' })).toEqual({ name: 'Mine' });
  });

  it('finds what is stored where the address asks for it', async () => {
    const context = await readerOf(language);
    const data = { name: 'Payment screening' };
    expect(shownTexts(context)).toBe('translated');
    context.set(storedTextsContext, true);
    expect(inReadersLanguage(context, data)).toBe(data);
    expect(sayShipped(context)('Payee')).toBe('Payee');
    expect(shownTexts(context)).toBe('stored');
  });

  it('reads the built-in tools and agent, and is given their names as they are defined', () => {
    const shipped = builtinConnections().flatMap(({ name, description, capabilities }) => [
      name,
      description,
      ...capabilities.flatMap((capability) => [capability.title, capability.description]),
    ]);
    expect(shipped.length).toBeGreaterThan(15);
    expect(shipped.filter((text) => !shippedTexts(language).names.has(text))).toEqual([]);
  });

  it('reads the policies that a workspace begins with', () => {
    const schema = readFileSync('supabase/schemas/65_policies.sql', 'utf8');
    const shipped = [...schema.matchAll(/^ {2}\('([^']+)', '([^']+)',\s+'[a-z-]+',/gm)].flatMap(([, name = '', description = '']) => [
      name,
      description,
    ]);
    expect(shipped).toHaveLength(6);
    expect(shipped.filter((text) => !shippedTexts(language).names.has(text))).toEqual([]);
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
    expect(shownTexts(await readerOf('en'))).toBeNull();
    expect(inStoredWords(await readerOf('de', false), { name: 'Zahlungsprüfung' })).toEqual({ name: 'Zahlungsprüfung' });
  });

  it('are found by those that the reader sees', async () => {
    expect(inShippedWords(await readerOf('de'), 'zahlungspr')).toBe('Payment screening');
    expect(inShippedWords(await readerOf('de'), 'invoice')).toBe('invoice');
    expect(inShippedWords(await readerOf('en'), 'zahlungspr')).toBe('zahlungspr');
  });
});
