import { CopyButton } from '#app/components/value/copy/copied.tsx';

/** A secret or an address to be taken along: selected as a whole when it is focused, and copied by a button. */
export function CopiedValue({ label, value }: { label: string; value: string }) {
  return (
    <div data-copying="" className="flex max-w-measure flex-wrap items-end gap-2 sm:flex-nowrap">
      <label className="grid min-w-0 grow basis-full gap-1.5 sm:basis-0">
        <span className="font-semibold">{label}</span>
        <input
          readOnly
          data-copied-text=""
          value={value}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
          className="block min-h-11 w-full rounded-md border border-edge bg-raised px-3 py-2 font-mono text-sm text-ink rtl:text-end"
        />
      </label>
      <div className="shrink-0 pb-1.5">
        <CopyButton name={label} />
      </div>
    </div>
  );
}
