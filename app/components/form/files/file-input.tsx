import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { useHydrated } from '#app/components/live/hydrated.ts';

type Props = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'className' | 'ref'> & { id: string };

/**
 * Chooses a file, in the reader's words: a browser's own speak the language of the browser. The browser's control stays what is focused, read
 * and dropped on; with scripts it lies unseen over the words, and without them it says itself which file was chosen. Needs the namespace inputs.
 */
export function FileInput({ id, multiple, ...attributes }: Props) {
  const { t } = useTranslation('inputs');
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [names, setNames] = useState<string[]>([]);
  const look = () => setNames([...(input.current?.files ?? [])].map((file) => file.name));
  // A file may have been chosen before the scripts came.
  useEffect(look, []);
  return (
    <label
      htmlFor={id}
      className={`${CONTROL} relative flex min-h-11 cursor-pointer items-center gap-3 py-1.5 ps-1.5 outline-offset-2 outline-focus hover:border-ink has-focus-visible:outline-2 has-aria-invalid:border-2 has-aria-invalid:border-danger-ink`}
    >
      <span aria-hidden="true" className="shrink-0 rounded-sm border border-edge bg-raised px-3 py-1 text-sm font-semibold">
        {multiple ? t('chooseFiles') : t('chooseFile')}
      </span>
      {hydrated ? (
        <span aria-hidden="true" className={`min-w-0 text-sm break-words ${names.length === 0 ? 'text-muted' : ''}`}>
          {names.length === 0
            ? t('noFile')
            : names.map((name) => (
                <bdi key={name} className="block">
                  {name}
                </bdi>
              ))}
        </span>
      ) : null}
      <input
        {...attributes}
        ref={input}
        id={id}
        type="file"
        multiple={multiple}
        onChange={look}
        className={`cursor-pointer ${hydrated ? 'absolute inset-0 opacity-0' : 'w-0 min-w-0 grow text-sm file:hidden'}`}
      />
    </label>
  );
}
