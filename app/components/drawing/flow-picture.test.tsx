import { createInstance } from 'i18next';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import type { StepStatus } from '#app/contracts/statuses.ts';
import { flowOf } from '#app/domain/workflows/flow-layout.ts';
import { type Step, stepSchema } from '#app/domain/workflows/steps/step.ts';
import common from '#locales/en/common.json' with { type: 'json' };
import texts from '#locales/en/flow.json' with { type: 'json' };

const i18n = createInstance({ lng: 'en', resources: { en: { common, flow: texts } }, interpolation: { escapeValue: false } });
await i18n.init();

const step = (id: string): Step => stepSchema.parse({ kind: 'transform', id, name: `Step ${id}`, expression: '1' });
const flow = flowOf([
  step('a'),
  stepSchema.parse({
    kind: 'branch',
    id: 'b',
    name: 'Which <risk>?',
    branches: [
      { label: 'high', when: 'input.amount > 10', steps: [step('c')] },
      { label: 'low', when: '', steps: [] },
    ],
  }),
  step('d'),
]);
const draw = (picture: ReactElement) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <MemoryRouter>{picture}</MemoryRouter>
    </I18nextProvider>,
  );
const drawn = (states?: Map<string, StepStatus>) =>
  draw(
    <FlowPicture steps={flow} label="Flow" {...(states && { states, linkTo: (path) => (states.has(path) ? `#${path}` : undefined) })} />,
  );

test('is a nested list in the order of the flow, whose lines are for the eye alone', () => {
  const html = drawn();
  const words = html.replace(/<svg.*?<\/svg>/g, '').replace(/<[^>]+>/g, '|');
  const places = ['Step a', 'Which &lt;risk&gt;?', 'high', 'Step c', 'low', 'Step d'].map((word) => words.indexOf(word));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(html.match(/<ol/g)).toHaveLength(2);
  for (const [svg] of html.matchAll(/<svg[^>]*>/g)) expect(svg).toContain('aria-hidden="true"');
});

test('says what each step of a run is in, and leads only to those that have begun', () => {
  const html = drawn(
    new Map<string, StepStatus>([
      ['a', 'success'],
      ['b/high/c', 'waiting'],
    ]),
  );
  const cards = [...html.matchAll(/<(a|div)[^>]*class="flow-card"[^>]*>/g)].map(([tag]) => tag);
  const stateOf = (tag: string) => /data-state="(\w+)"/.exec(tag)?.[1];
  expect(cards.map(stateOf)).toEqual(['success', 'pending', 'waiting', 'pending']);
  expect(cards.map((tag) => /href="([^"]+)"/.exec(tag)?.[1])).toEqual(['#a', undefined, '#b/high/c', undefined]);
});

test('says of each step how it differs from another version, in a word beside the colour', () => {
  const changes = new Map([['b/high/c', { change: 'removed' as const, word: 'Removed' }]]);
  const html = draw(<FlowPicture steps={flow} label="Flow" changes={changes} />);
  const cards = [...html.matchAll(/<div[^>]*class="flow-card".*?(?=<div|<\/li>)/g)].map(([card]) => card);
  expect(cards.map((card) => /data-change="(\w+)"/.exec(card)?.[1])).toEqual([undefined, undefined, 'removed', undefined]);
  expect(cards[2]?.replace(/<[^>]+>/g, '')).toContain('Removed');
});

test('asks for the routes of its cards, unless they are more than one address can name', () => {
  const cardsAskedFor = (count: number) => {
    const steps = flowOf(Array.from({ length: count }, (_, index) => step(`s${index}`)));
    const html = draw(
      <FlowPicture
        steps={steps}
        label="Flow"
        linkTo={(path) => `/step/${path}`}
        addAt={(_container, before) => `/add?at=${before.length}`}
      />,
    );
    expect(html.match(/<a [^>]*flow-card/g)).toHaveLength(count);
    return (html.match(/data-discover/g) ?? []).length;
  };
  // One more for the places between them.
  expect(cardsAskedFor(40)).toBe(41);
  expect(cardsAskedFor(41)).toBe(1);
});
