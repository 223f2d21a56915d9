import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useLocation, useRevalidator, useRouteLoaderData } from 'react-router';
import { useHydrated } from '#app/components/hydrated.ts';
import { Mark } from '#app/components/mark.tsx';
import { runtimeText } from '#app/components/runtime-text.ts';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';

const MAX_RETRIES = 3;

/** Tries on the page that failed, in this browser: a retry that fails while drawing makes a new error page, which must go on counting. */
const tried = { page: '', count: 0 };

function useRetries(): [number, () => void] {
  const { key } = useLocation();
  const [count, setCount] = useState(tried.page === key ? tried.count : 0);
  const note = () => {
    tried.page = key;
    tried.count = count + 1;
    setCount(tried.count);
  };
  return [count, note];
}

/** The page of last resort: what happened, and every way on. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <main id="content" className="grid min-h-dvh content-center">
      <ErrorBody error={error} />
    </main>
  );
}

/** The same inside a frame that still stands. */
export function ErrorBody({ error }: { error: unknown }) {
  const { t } = useTranslation('common');
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const missing = status === 404;
  return (
    <div className="mx-auto w-full max-w-page px-4 py-16 sm:px-6 lg:px-8">
      <title>{`${missing ? t('errorPage.notFoundTitle') : t('errorPage.title')} · ${t('productName')}`}</title>
      <Mark className="size-12" filled={missing ? 0 : 4} />
      {missing ? <MissingBody /> : <FailedBody error={error} status={status} />}
    </div>
  );
}

function MissingBody() {
  const { t } = useTranslation('common');
  return (
    <>
      <h1 tabIndex={-1} className="mt-6 text-3xl font-semibold tracking-tight">
        {t('errorPage.notFoundTitle')}
      </h1>
      <p className="mt-3 max-w-measure text-muted">{t('errorPage.notFoundText')}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to="/dashboard" variant="primary">
          {t('errorPage.toDashboard')}
        </ButtonLink>
        <ButtonLink to="/">{t('errorPage.toStart')}</ButtonLink>
      </div>
    </>
  );
}

function FailedBody({ error, status }: { error: unknown; status: number }) {
  const { t } = useTranslation('common');
  const hydrated = useHydrated();
  const location = useLocation();
  const revalidator = useRevalidator();
  const [retries, noteRetry] = useRetries();
  const [reported, setReported] = useState(false);
  const refusal = useRefusal(error);
  const root = useRouteLoaderData<{ requestId: string }>('root');
  const exhausted = retries >= MAX_RETRIES;
  return (
    <>
      <p className="mt-6 font-mono text-sm text-muted">{status}</p>
      <h1 tabIndex={-1} className="mt-1 text-3xl font-semibold tracking-tight">
        {refusal ?? t('errorPage.title')}
      </h1>
      {refusal ? null : <p className="mt-3 max-w-measure text-muted">{t('errorPage.text')}</p>}
      {refusal || !root ? null : (
        <p className="mt-2 text-sm text-muted">
          {t('errorPage.reference')}{' '}
          <code dir="ltr" className="text-ink">
            {root.requestId}
          </code>
        </p>
      )}
      <div className="mt-8 flex flex-wrap gap-3">
        {hydrated ? (
          <Button
            type="button"
            variant="primary"
            disabled={exhausted || revalidator.state === 'loading'}
            onClick={() => {
              noteRetry();
              void revalidator.revalidate();
            }}
          >
            {exhausted ? t('errorPage.maxRetries') : t('errorPage.tryAgain')}
          </Button>
        ) : (
          <ButtonLink reloadDocument variant="primary" to={`${location.pathname}${location.search}`}>
            {t('errorPage.tryAgain')}
          </ButtonLink>
        )}
        <ButtonLink to="/dashboard">{t('errorPage.goHome')}</ButtonLink>
        {hydrated ? (
          <Button
            type="button"
            variant="quiet"
            onClick={() => {
              reportToConsole(error);
              setReported(true);
            }}
          >
            {t('errorPage.reportBug')}
          </Button>
        ) : null}
      </div>
      <p role="status" className="mt-4 text-sm text-muted">
        {reported ? t('errorPage.reported') : ''}
      </p>
      {import.meta.env.DEV && error instanceof Error ? (
        <details className="mt-6">
          <summary className="text-link">{t('errorPage.technical')}</summary>
          <pre dir="ltr" className="mt-2 overflow-auto text-sm">
            {error.stack}
          </pre>
        </details>
      ) : null}
    </>
  );
}

/** The sentence for a refusal that was meant (an AppError that became a response), or null for a defect. */
function useRefusal(error: unknown): string | null {
  const { i18n } = useTranslation('errors');
  if (!isRouteErrorResponse(error)) return null;
  const body: unknown = error.data;
  if (typeof body !== 'object' || body === null || !('code' in body)) return null;
  const values = 'values' in body && typeof body.values === 'object' && body.values !== null ? { ...body.values } : {};
  return runtimeText(i18n, 'errors', String(body.code), values);
}

/** The report of the specification: message, stack, browser, address and time, in the console and nowhere else. */
function reportToConsole(error: unknown) {
  const report = {
    message: error instanceof Error ? error.message : String(error),
    stack: error instanceof Error ? error.stack : undefined,
    userAgent: navigator.userAgent,
    url: window.location.href,
    timestamp: new Date().toISOString(),
  };
  // biome-ignore lint/suspicious/noConsole: 'Report Bug' writes to the console by specification (section 2)
  console.error('Error report', report);
}
