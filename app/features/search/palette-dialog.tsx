import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { PALETTE_FRAME } from '#app/components/palette/palette.tsx';

/**
 * A dialog over the page with one field in it, which has the focus as long as it stands. Radix's would lock the page's scrolling by styles
 * on its body, and the browser's own makes all else inert: either has the style of each element worked out again, which on a list of 200
 * rows took half a second on a slow machine, to open it and to close it. Here the page is covered, hidden from assistive technology by an
 * attribute, and left as it is.
 */
export function PaletteDialog({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const cover = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focusField = () => frame.current?.querySelector('input')?.focus({ preventScroll: true });
    focusField();
    const shown = hideOthers(cover.current, frame.current);
    const keepFocus = (event: FocusEvent) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) focusField();
    };
    document.addEventListener('focusin', keepFocus);
    return () => {
      document.removeEventListener('focusin', keepFocus);
      shown();
    };
  }, []);
  useEffect(() => {
    const covering = cover.current;
    const stay = (event: Event) => event.preventDefault();
    // React's own listeners for both must not delay the page.
    covering?.addEventListener('wheel', stay, { passive: false });
    covering?.addEventListener('touchmove', stay, { passive: false });
    return () => {
      covering?.removeEventListener('wheel', stay);
      covering?.removeEventListener('touchmove', stay);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onClose();
    }
    if (event.key === 'Tab') event.preventDefault();
  };
  return createPortal(
    <>
      <div ref={cover} aria-hidden="true" onPointerDown={onClose} className="fixed inset-0 z-40 bg-(--veil)" />
      <div
        ref={frame}
        role="dialog"
        aria-modal="true"
        aria-label={label}
        onKeyDown={onKeyDown}
        className={`fixed inset-x-4 top-[12vh] z-50 mx-auto ${PALETTE_FRAME}`}
      >
        {children}
      </div>
    </>,
    document.body,
  );
}

/** Hides everything outside the dialog from assistive technology, except live regions. Returns the undo. */
function hideOthers(...own: readonly (Element | null)[]): () => void {
  const others = [...document.body.children].filter(
    (element) => !own.includes(element) && !element.matches('script, [aria-live], [role="status"], [aria-hidden]'),
  );
  for (const element of others) element.setAttribute('aria-hidden', 'true');
  return () => {
    for (const element of others) element.removeAttribute('aria-hidden');
  };
}
