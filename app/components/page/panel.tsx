import { Component, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Await, href, useLocation } from 'react-router';
import { Notice } from '#app/components/page/notice.tsx';
import type { PanelData } from '#app/components/page/panel-data.ts';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';

/**
 * A part of a page that may fail alone. An error while the server renders it puts the same words into the HTML (a server knows no error
 * boundaries, but a suspense boundary answers with its fallback).
 */
export function Panel({ children }: { children: ReactNode }) {
  return (
    <PanelBoundary>
      <Suspense fallback={<PanelFailed />}>{children}</Suspense>
    </PanelBoundary>
  );
}

/** A panel whose data may come after the first byte (`loadPanel`); a placeholder is shown until then. */
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

/** As tall as the section that will come. */
function Apart({ children }: { children: ReactNode }) {
  return <div className="not-first:mt-10">{children}</div>;
}

/** A component of its own, so that errors while drawing are thrown inside the panel. */
function Contents<T>({ value, render }: { value: T; render: (value: T) => ReactNode }) {
  return <>{render(value)}</>;
}

/** The placeholder of a panel that is loading. */
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
      {/* Only a browser that ran scripts before gets a placeholder; if they are off by now, this says so. */}
      <noscript>
        <form method="post" action={href('/preferences/scripts')}>
          <input type="hidden" name="next" value={`${location.pathname}${location.search}`} />
          <input type="submit" value={t('panel.show')} className={buttonClass('secondary', 'small')} />
        </form>
      </noscript>
    </div>
  );
}

/** The error shown in place of the panel. */
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
