import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { CopiedBlock } from '#app/components/value/copy/copied.tsx';
import type { ShownFrame } from '#app/components/value/shown-frames.ts';
import type { ShownText } from '#app/components/value/shown-value.ts';
import { RestOfValue } from '#app/components/value/value-view.tsx';
import { revealedText, showHidden } from '#app/domain/connections/hidden-text.ts';

/** The messages of a call as sent and received, in order. `file`: the address of all of it. Needs the namespace runs. `narrow`: requests above their answers. */
export function FrameList({ frames, file, narrow = false }: { frames: readonly ShownFrame[]; file: string; narrow?: boolean }) {
  return (
    <ol className="grid gap-4">
      {frames.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: frames have an order and never move
        <FrameCard key={index} frame={frame} number={index + 1} file={file} narrow={narrow} />
      ))}
    </ol>
  );
}

type CardProps = { frame: ShownFrame; number: number; file: string; narrow: boolean };

function FrameCard({ frame, number, file, narrow }: CardProps) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const took = format.number(frame.tookMs, { style: 'unit', unit: 'millisecond' });
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <h3 className="font-semibold">
        {format.number(number)}. <bdi dir="ltr" className="font-mono text-sm wrap-anywhere">{`${frame.method} ${frame.url}`}</bdi>
      </h3>
      <p className="mt-1 text-sm text-muted">
        {frame.status !== null
          ? t('frames.answered', { status: String(frame.status), took })
          : isEmpty(frame.responseBody)
            ? t('frames.noAnswer', { took })
            : t('frames.answeredAfter', { took })}
      </p>
      <div className={`mt-3 grid gap-4 ${narrow ? '' : 'lg:grid-cols-2'}`}>
        <Message title={t('frames.sent')} frame={`#${number}`} headers={frame.requestHeaders} body={frame.requestBody} file={file} />
        <Message title={t('frames.received')} frame={`#${number}`} headers={frame.responseHeaders} body={frame.responseBody} file={file} />
      </div>
    </li>
  );
}

type Message = { title: string; frame: string; headers: ShownFrame['requestHeaders']; body: ShownText; file: string };

function Message({ title, frame, headers, body, file }: Message) {
  const lines = revealedText(headers.map(([name, value]) => `${name}: ${value}`).join('\n'));
  const text = 'whole' in body ? readable(body.whole) : revealedText(body.start);
  return (
    <div className="min-w-0">
      <h4 className="mb-1 text-sm font-semibold">{title}</h4>
      <CopiedBlock name={`${title} ${frame}`}>
        <ScrollGroup label={`${title} ${frame}`} className="max-h-96 overflow-auto rounded-md border border-line bg-raised">
          <pre dir="ltr" className="p-3 text-start font-mono text-xs leading-relaxed">
            <code data-copied-text="">{[lines, text].filter((part) => part !== '').join('\n\n') || '–'}</code>
          </pre>
        </ScrollGroup>
      </CopiedBlock>
      {'whole' in body ? null : <RestOfValue value={body} label={title} file={file} />}
    </div>
  );
}

const isEmpty = (body: ShownText) => 'whole' in body && body.whole === '';

/** JSON with its lines, anything else as it came. */
function readable(body: string): string {
  try {
    return showHidden(JSON.stringify(JSON.parse(body), null, 2));
  } catch {
    return revealedText(body);
  }
}
