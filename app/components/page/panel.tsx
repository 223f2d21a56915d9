import { Component, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Await, useLocation } from 'react-router';
import { Notice } from '#app/components/page/notice.tsx';
import type { PanelData } from '#app/components/page/panel-data.ts';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';

/**
 * One part of a page that may fail by itself: the rest stands. What throws while the server renders it leaves the same words in the
 * HTML (a server knows no error boundaries, but a boundary of suspense answers with its fallback).
 */
export function Panel({ children }: { children: ReactNode }) {
  return (
    <PanelBoundary>
      <Suspense fallback={<PanelFailed />}>{children}</Suspense>
    </PanelBoundary>
  );
}

/** A panel whose data may come after the first byte (`loadPanel`); until then its place is kept. */
export function DeferredPanel<T>({ data, children }: { data: PanelData<T> | Promise<PanelData<T>>; children: (value: T) => ReactNode }) {
  return (
    <Suspense
      fallback={
        <Apart>
          <PanelWaiting />
        </Apart>
      }
    >
      <Await
        resolve={data}
        errorElement={
          <Apart>
            <PanelFailed />
          </Apart>
        }
      >
        {(loaded: PanelData<T>) =>
          loaded.ok ? (
            <Panel>{<Contents value={loaded.value} render={children} />}</Panel>
          ) : (
            <Apart>
              <PanelFailed reference={loaded.reference} />
            </Apart>
          )
        }
      </Await>
    </Suspense>
  );
}

/** As far from what stands above as the section that is meant to be there. */
function Apart({ children }: { children: ReactNode }) {
  return <div className="not-first:mt-10">{children}</div>;
}

/** A component of its own, so that what its drawing throws is thrown inside the panel. */
function Contents<T>({ value, render }: { value: T; render: (value: T) => ReactNode }) {
  return <>{render(value)}</>;
}

/** The place of a panel that is on its way. */
export function PanelWaiting() {
  const { t } = useTranslation('common');
  const location = useLocation();
  return (
    <div
      role="status"
      aria-busy="true"
      aria-label={t('panel.loading')}
      className="grid h-40 place-items-center rounded-lg border border-dashed border-line"
    >
      {/* Only a browser that ran scripts once gets a page with a place kept; should they be off by now, it says so here. */}
      <noscript>
        <form method="post" action="/preferences/scripts">
          <input type="hidden" name="next" value={`${location.pathname}${location.search}`} />
          <input type="submit" value={t('panel.show')} className={buttonClass('secondary', 'small')} />
        </form>
      </noscript>
    </div>
  );
}

/** What stands in its place when it fails. */
export function PanelFailed({ reference }: { reference?: string }) {
  const { t } = useTranslation('common');
  const location = useLocation();
  return (
    <Notice kind="attention" title={t('panel.failed')}>
      {reference === undefined ? null : (
        <p className="text-sm text-muted">
          {t('errorPage.reference')}{' '}
          <code dir="ltr" className="text-ink">
            {reference}
          </code>
        </p>
      )}
      <p className="mt-2">
        <ButtonLink size="small" reloadDocument to={`${location.pathname}${location.search}`}>
          {t('errorPage.tryAgain')}
        </ButtonLink>
      </p>
    </Notice>
  );
}

class PanelBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? <PanelFailed /> : this.props.children;
  }
}
