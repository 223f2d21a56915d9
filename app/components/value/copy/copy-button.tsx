import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';
import Check from '~icons/check';
import Copy from '~icons/copy';

/** A text, or the address of a file with it. */
type Copied = { text: string; file?: never } | { text?: never; file: string };

/** Copies a text, and says so; `bare`: an icon alone, for one among others in a line. There with scripts alone, where the browser lets a page copy: what it copies stands beside it for all. */
export function CopyButton({ text, file, name, bare = false }: Copied & { name: string; bare?: boolean }) {
  const { t } = useTranslation('common');
  const named = useNamed();
  const { announce } = useAccessibility();
  const [copied, setCopied] = useState(false);
  const hydrated = useHydrated();
  if (hydrated && navigator.clipboard === undefined) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text ?? (await textOf(file)));
      setCopied(true);
      announce(t('copy.done', { name }));
    } catch {
      announce(t('copy.failed', { name }));
    }
  };
  return (
    <Button
      type="button"
      variant={bare ? 'quiet' : 'secondary'}
      size={bare ? 'icon' : 'small'}
      className={`${withScriptsOnly(hydrated)} shrink-0 print:hidden`}
      aria-label={named(copied ? t('copy.again') : t('copy.copy'), name)}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {bare ? null : copied ? t('copy.again') : t('copy.copy')}
    </Button>
  );
}

async function textOf(file: string): Promise<string> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${answer.status} for ${file}`);
  return answer.text();
}
