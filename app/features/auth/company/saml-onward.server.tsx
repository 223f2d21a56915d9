import { renderToStaticMarkup } from 'react-dom/server';
import { href, type RouterContextProvider } from 'react-router';
import styles from '#app/app.css?url';
import { buttonClass } from '#app/components/ui/button.tsx';
import { nonceContext } from '#app/contracts/request-context.ts';
import { directionOf } from '#app/domain/web/languages.ts';
import { getLanguage, getTranslator } from '#app/platform/i18n/i18n.server.ts';

type Onward = { workspace: string; answer: string; relay: string; asked: boolean };

/**
 * A page of ours that posts the answer on: what another site posts comes without our cookies, and this comes with them. It sends itself where
 * the person had asked for the sign-in, and by its button without scripts, or where they had not.
 */
export function onwardPage(context: Readonly<RouterContextProvider>, { workspace, answer, relay, asked }: Onward): Response {
  const t = getTranslator(context, 'auth');
  const language = getLanguage(context);
  const page = renderToStaticMarkup(
    <html lang={language} dir={directionOf(language)} data-theme="system">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{t('company.title')}</title>
        {styles === '' ? null : <link rel="stylesheet" href={styles} />}
      </head>
      <body>
        <main className="mx-auto w-full max-w-lg grow px-4 py-10 sm:py-16">
          <h1 className="text-2xl font-semibold tracking-tight">{t('company.title')}</h1>
          <p className="mt-2 max-w-measure text-muted">{t(asked ? 'company.onward' : 'company.onwardUnasked')}</p>
          <form method="post" action={href('/sign-in/company/saml/:workspace/finish', { workspace })} className="mt-8 grid gap-8">
            <input type="hidden" name="SAMLResponse" value={answer} />
            <input type="hidden" name="RelayState" value={relay} />
            <button type="submit" className={buttonClass('primary')}>
              {t('company.go')}
            </button>
          </form>
        </main>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
        {asked ? <script nonce={context.get(nonceContext)} dangerouslySetInnerHTML={{ __html: 'document.forms[0].submit()' }} /> : null}
      </body>
    </html>,
  );
  return new Response(`<!doctype html>${page}`, {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'same-origin' },
  });
}
