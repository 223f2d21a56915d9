import { type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { PANEL_ID } from '#app/features/runs/trace/trace-place.ts';

/** The id of the trace, which closing the panel leads back to where no script runs. */
export const TRACE_ID = 'trace';

type Props = {
  /** Path and name of the step that the panel shows; null: it shows the whole run. */
  selected: { path: string; name: string } | null;
  /** The panel's name while it shows no step. */
  whole: string;
  /** The address without a selection. */
  closed: string;
  picture: ReactNode;
  trace: ReactNode;
  panel: ReactNode;
};

/**
 * Picture and trace of a run, which share one selection, and the panel beside them. A selection is an address: without scripts its link loads
 * the page and leads to the panel. With them the page stays where it is, the focus where it was, and arrow keys walk through the trace.
 */
export function TraceWorkbench({ selected, whole, closed, picture, trace, panel }: Props) {
  const { t } = useTranslation('runs');
  const box = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useSelectionShown(box, selected);
  const go = (to: string) => void navigate(to, { preventScrollReset: true });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed; here they are only followed without a scroll
    <div
      ref={box}
      className="run-workbench"
      onClickCapture={(event) => followInPlace(event, go)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && selected !== null && !event.defaultPrevented) go(closed);
        else walkTrace(event);
      }}
    >
      {picture !== null && <div className="run-picture min-w-0">{picture}</div>}
      <div id={TRACE_ID} className="run-trace min-w-0 scroll-mt-20">
        {trace}
      </div>
      <section
        id={PANEL_ID}
        tabIndex={-1}
        aria-label={selected === null ? whole : t('panel.step', { name: selected.name })}
        className="run-panel scroll-mt-20 rounded-lg border border-line bg-surface p-4"
      >
        {panel}
      </section>
    </div>
  );
}

/** A link to the panel or back to the trace is followed on the page as it is; with a key held down it opens as the browser does that. */
function followInPlace(event: MouseEvent, go: (to: string) => void) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.pathname !== window.location.pathname || ![`#${PANEL_ID}`, `#${TRACE_ID}`].includes(link.hash)) return;
  event.preventDefault();
  go(`${link.pathname}${link.search}`);
}

const ROW = '.trace-link';

/** Arrow keys go from row to row. */
function walkTrace(event: KeyboardEvent) {
  const link = event.target instanceof Element ? event.target.closest(ROW) : null;
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (link === null || by === 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(ROW)];
  const next = rows[rows.indexOf(link as HTMLElement) + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Announces a new selection, brings a panel below the fold into view, and gives the focus back to the row of a panel that closes. */
function useSelectionShown(box: RefObject<HTMLElement | null>, selected: Props['selected']) {
  const { t } = useTranslation('runs');
  const { announce } = useAccessibility();
  const before = useRef(selected?.path ?? null);
  const path = selected?.path ?? null;
  const name = selected?.name ?? '';
  useEffect(() => {
    const was = before.current;
    if (was === path) return;
    before.current = path;
    const panel = box.current?.querySelector<HTMLElement>(`#${PANEL_ID}`);
    if (path === null) {
      const inside = panel?.contains(document.activeElement) || document.activeElement === document.body;
      if (inside) box.current?.querySelector<HTMLElement>(`${ROW}[data-path="${CSS.escape(was ?? '')}"]`)?.focus();
      return;
    }
    announce(t('panel.shown', { name }));
    if (panel && panel.getBoundingClientRect().top > window.innerHeight - 160) panel.focus();
  }, [path, name, announce, t, box]);
}
