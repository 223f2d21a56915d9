import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { holdEarlyJumps } from '#app/components/live/early-jumps.ts';
import { startPageTexts } from '#app/platform/i18n/i18n.client.ts';
import { I18nextProvider } from '#app/platform/i18n/react-texts.ts';

holdEarlyJumps();
const texts = await startPageTexts();

startTransition(() => {
  hydrateRoot(
    document,
    <I18nextProvider i18n={texts}>
      <StrictMode>
        <HydratedRouter />
      </StrictMode>
    </I18nextProvider>,
  );
});
