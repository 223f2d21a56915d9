import { setTimeout as pause } from 'node:timers/promises';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import type { FlowStep } from '#app/domain/workflows/flow-layout.ts';
import { pageTextsOf } from '#app/platform/i18n/page-texts.server.ts';
import { I18nextProvider } from '#app/platform/i18n/react-texts.ts';

/** By then V8 has compiled all that a picture needs. */
const PICTURES = 5;
/** Requests that have come meanwhile go first. */
const PAUSE_MS = 50;

/**
 * Draws a few small pictures that nobody sees, so that the first large one of this process does not wait for V8 to compile what draws it: some 25
 * ms instead of 60 (decision 46). Each holds the event loop for some 10 ms.
 */
export async function drawFirstPictures(): Promise<void> {
  for (let picture = 0; picture < PICTURES; picture += 1) {
    await pause(PAUSE_MS, undefined, { ref: false });
    renderToString(
      <MemoryRouter>
        <I18nextProvider i18n={pageTextsOf('en')}>
          <FlowPicture
            steps={stepsOf(picture)}
            label=""
            linkTo={(path) => `/${path}`}
            addAt={(container, before) => `/${container}${before.length}`}
          />
        </I18nextProvider>
      </MemoryRouter>,
    );
  }
}

/** Others in each picture, whose places are not known yet. */
const stepsOf = (picture: number): FlowStep[] => [
  ...Array.from({ length: 6 }, (_, index): FlowStep => ({ id: `first_${picture}_${index}`, kind: 'transform', name: 'A', note: 'A' })),
  {
    ...{ id: 'branch', kind: 'branch', name: 'A', note: '' },
    branches: ['yes', 'otherwise'].map((label) => ({ label, when: '', steps: [{ id: 'in', kind: 'tool', name: 'A', note: 'A' }] })),
  },
];
