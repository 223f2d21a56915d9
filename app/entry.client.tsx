import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { I18nextProvider } from '#app/platform/i18n/browser-react-i18next.ts';
import { startBrowserTexts } from '#app/platform/i18n/i18n.client.ts';

const texts = await startBrowserTexts();

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
