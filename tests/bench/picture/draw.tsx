/** A process that draws a workflow of 200 steps once, and says what that took: { first, warm } in milliseconds of processor. Built by picture-load. */
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import { flowOf } from '#app/domain/workflows/flow-layout.ts';
import { drawFirstPictures } from '#app/draw-first-pictures.server.tsx';
import { pageTextsOf } from '#app/platform/i18n/page-texts.server.ts';
import { I18nextProvider } from '#app/platform/i18n/react-texts.ts';
import { cpuOf, twoHundredSteps } from '#tests/bench/picture/picture-load.ts';

const ROUNDS = 40;

const flow = flowOf(twoHundredSteps());
const draw = () =>
  renderToString(
    <MemoryRouter>
      <I18nextProvider i18n={pageTextsOf('en')}>
        <FlowPicture steps={flow} label="Flow" linkTo={(path) => `/dashboard/workflows/one/edit/step/${path}`} />
      </I18nextProvider>
    </MemoryRouter>,
  );
// A server lives by its socket; the pictures alone would not keep it.
const alive = setInterval(() => undefined, 1_000);
if (process.argv.includes('--started')) await drawFirstPictures();
clearInterval(alive);
const first = cpuOf(draw);
for (let round = 0; round < ROUNDS; round += 1) draw();
process.stdout.write(JSON.stringify({ first, warm: cpuOf(draw) }));
