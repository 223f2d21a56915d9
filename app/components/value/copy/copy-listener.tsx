import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';

/** How long a button shows that it has copied. */
const SHOWN_MS = 2_000;

/** Serves every copy button of the document, also those in parts that React never takes over, and says what was copied. */
export function CopyListener() {
  const { t } = useTranslation('common');
  const { announce } = useAccessibility();
  useEffect(() => {
    // Over plain HTTP a browser offers no clipboard, and the buttons stay unseen.
    if (navigator.clipboard === undefined) return;
    document.documentElement.dataset.copies = '';
    const copy = async (button: HTMLElement) => {
      const name = button.dataset.copy ?? '';
      try {
        await navigator.clipboard.writeText(await textFor(button));
        button.dataset.copied = '';
        setTimeout(() => delete button.dataset.copied, SHOWN_MS);
        announce(t('copy.done', { name }));
      } catch {
        announce(t('copy.failed', { name }));
      }
    };
    const onClick = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
      if (button !== null) void copy(button);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [announce, t]);
  return null;
}

/** Throws where the file does not come. */
async function textFor(button: HTMLElement): Promise<string> {
  if (button.dataset.file !== undefined) {
    const answer = await fetch(button.dataset.file);
    if (!answer.ok) throw new Error(`${answer.status} for ${button.dataset.file}`);
    return answer.text();
  }
  const source = button.closest('[data-copying]')?.querySelector('[data-copied-text]');
  if (!source) throw new Error('the button stands beside no text');
  return source instanceof HTMLInputElement ? source.value : (source.textContent ?? '');
}
