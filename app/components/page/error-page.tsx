import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { href, isRouteErrorResponse, useLocation, useRevalidator, useRouteLoaderData } from 'react-router';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { Logo } from '#app/components/look/logo.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { CopyButton } from '#app/components/value/copy/copied.tsx';
import type { Permission } from '#app/domain/people/roles.ts';

const MAX_RETRIES = 3;

/** Attempts on the failed page, in this browser: a retry that fails while drawing makes a new error page, which must continue counting. */
const tried = { page: '', count: 0 };

function useRetries(before: number): [number, () => void] {
  const { key } = useLocation();
  const [count, setCount] = useState(tried.page === key ? tried.count : before);
  const note = () => {
    tried.page = key;
    tried.count = count + 1;
    setCount(tried.count);
  };
  return [count, note];
}

/** The page for unexpected failures: what happened, and every way on. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <main id="content" className="grid min-h-dvh content-center">
      <ErrorBody error={error} />
    </main>
  );
}

/** The same inside a frame that still works. */
export function ErrorBody({ error }: { error: unknown }) {
  const { t } = useTranslation('common');
  const missing = statusOf(error) === 404;
  return (
    <div className="mx-auto w-full max-w-page px-4 py-16 sm:px-6 lg:px-8">
      <title>{`${missing ? t('errorPage.notFoundTitle') : t('errorPage.title')} · ${t('productName')}`}</title>
      <ErrorMessage error={error} as="h1" />
    </div>
  );
}

const statusOf = (error: unknown) => (isRouteErrorResponse(error) ? error.status : 500);

/** The content of the error page. `as`: the heading's level; `tries`: retries so far on this page. */
export function ErrorMessage({ error, as, tries = 0 }: { error: unknown; as: 'h1' | 'h3'; tries?: number }) {
  const status = statusOf(error);
  return (
    <>
      <Logo className="size-12" filled={status === 404 ? 0 : 4} />
      {status === 404 ? <MissingBody as={as} /> : <FailedBody error={error} status={status} as={as} tries={tries} />}
    </>
  );
}

const HEADING = 'text-3xl font-semibold tracking-tight';

function MissingBody({ as: Heading }: { as: 'h1' | 'h3' }) {
  const { t } = useTranslation('common');
  return (
    <>
      <Heading tabIndex={-1} className={`mt-6 ${HEADING}`}>
        {t('errorPage.notFoundTitle')}
      </Heading>
      <p className="mt-3 max-w-measure text-muted">{t('errorPage.notFoundText')}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to={href('/dashboard')} variant="primary">
          {t('errorPage.toDashboard')}
        </ButtonLink>
        <ButtonLink to={href('/')}>{t('errorPage.toStart')}</ButtonLink>
      </div>
    </>
  );
}

function FailedBody({ error, status, as: Heading, tries }: { error: unknown; status: number; as: 'h1' | 'h3'; tries: number }) {
  const { t } = useTranslation('common');
  const hydrated = useHydrated();
  const location = useLocation();
  const revalidator = useRevalidator();
  const [retries, noteRetry] = useRetries(tries);
  const [reported, setReported] = useState(false);
  const refusal = useRefusal(error);
  const needed = whoMay(error);
  const root = useRouteLoaderData<{ requestId: string }>('root');
  const exhausted = retries >= MAX_RETRIES;
  return (
    <>
      <p className="mt-6 font-mono text-sm text-muted">{status}</p>
      <Heading tabIndex={-1} className={`mt-1 ${HEADING}`}>
        {refusal ?? t('errorPage.title')}
      </Heading>
      {needed ? <p className="mt-3 max-w-measure text-muted">{t(needed)}</p> : null}
      {refusal ? null : <p className="mt-3 max-w-measure text-muted">{t('errorPage.text')}</p>}
      {refusal || !root ? null : (
        <p className="mt-2 text-sm text-muted">
          {t('errorPage.reference')}{' '}
          <span data-copying="" className="inline-flex items-center gap-1 align-bottom">
            <code dir="ltr" data-reference="" data-copied-text="" className="text-ink">
              {root.requestId}
            </code>
            <CopyButton bare name={t('errorPage.reference')} />
          </span>
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
        <ButtonLink to={href('/dashboard')}>{t('errorPage.goHome')}</ButtonLink>
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

/** The sentence for an expected refusal (an AppError that became a response), or null for a defect. */
function useRefusal(error: unknown): string | null {
  const { i18n } = useTranslation('errors');
  if (!isRouteErrorResponse(error)) return null;
  const body: unknown = error.data;
  if (typeof body !== 'object' || body === null || !('code' in body)) return null;
  const values = 'values' in body && typeof body.values === 'object' && body.values !== null ? { ...body.values } : {};
  return runtimeText(i18n, 'errors', String(body.code), values);
}

const WHO_MAY = {
  authorWorkflow: 'errorPage.forBuilders',
  connect: 'errorPage.forBuilders',
  manageConnection: 'errorPage.forBuildersAndAdmins',
  keepGateway: 'errorPage.forBuildersAndAdmins',
  decideApproval: 'errorPage.forApprovers',
  approveCapability: 'errorPage.forApproversAndAdmins',
  handleIncident: 'errorPage.forApproversAndAdmins',
  attestControl: 'errorPage.forApproversAndAdmins',
  agreeToChange: 'errorPage.forApproversAndAdmins',
  readAuditLog: 'errorPage.forAuditorsAndAdmins',
  exportEvidence: 'errorPage.forAuditorsAndAdmins',
  authorPolicy: 'errorPage.forAdmins',
  manageMembers: 'errorPage.forAdmins',
  halt: 'errorPage.forAdmins',
  keepInventory: null,
  seeAllRuns: null,
  readChanges: null,
  startRun: null,
} as const satisfies Record<Permission, string | null>;

/** The roles that may do what was refused, where the refusal names the permission. */
function whoMay(error: unknown) {
  const values: unknown = isRouteErrorResponse(error) ? error.data?.values : undefined;
  const needs = typeof values === 'object' && values !== null && 'needs' in values ? values.needs : undefined;
  return Object.entries(WHO_MAY).find(([permission]) => permission === needs)?.[1] ?? null;
}

/** The report of 'Report Bug': message, stack, browser, address and time, in the console and nowhere else. */
function reportToConsole(error: unknown) {
  const report = {
    message: messageOf(error),
    stack: error instanceof Error ? (error.stack ?? null) : null,
    userAgent: navigator.userAgent,
    url: window.location.href,
    timestamp: new Date().toISOString(),
  };
  // biome-ignore lint/suspicious/noConsole: 'Report Bug' writes to the console : it sends nothing anywhere
  console.error('Error report', JSON.stringify(report, null, 2));
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (!isRouteErrorResponse(error)) return typeof error === 'string' ? error : JSON.stringify(error);
  const { code } = (typeof error.data === 'object' ? error.data : null) ?? {};
  return [error.status, error.statusText, code].filter(Boolean).join(' ');
}
