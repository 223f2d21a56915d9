import { useTranslation } from 'react-i18next';
import type { Shortcut, ShortcutGroup } from '#app/components/palette/shortcuts.ts';

/** Shortcuts in their groups, each with its keys first. */
export function ShortcutList({ groups }: { groups: readonly { id: ShortcutGroup['id']; shortcuts: readonly Shortcut[] }[] }) {
  const { t } = useTranslation('help');
  return (
    <div className="grid gap-6">
      {groups.map(({ id, shortcuts }) => (
        <div key={id}>
          <h3 className="mb-2 font-semibold">{t(`shortcutGroup.${id}`)}</h3>
          <dl className="border-t border-line">
            {shortcuts.map((shortcut) => (
              <div
                key={shortcut.id}
                className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-6 gap-y-0.5 border-b border-line py-2.5 sm:grid-cols-[12rem_minmax(0,1fr)] compact:py-1.5"
              >
                <dt dir="ltr" className="flex flex-wrap items-center gap-1.5 rtl:justify-end">
                  {shortcut.keys.map((key) => (
                    <kbd key={key} className="rounded border border-edge bg-surface px-1.5 py-0.5 font-mono text-sm">
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{t(`shortcut.${shortcut.id}`)}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}
