import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { TreeNode } from '#app/components/value/drawn-value.ts';

/** So few lines are shown unfolded. */
const UNFOLDED = 12;

type Props = { nodes: readonly TreeNode[]; addressOf: (pointer: string, from?: number) => string };

/** Entries of a list or an object that fold and unfold without scripts. What is not here is opened by a link. */
export function JsonTree({ nodes, addressOf }: Props) {
  return (
    <ul dir="ltr" className="text-start font-mono text-sm leading-relaxed">
      {nodes.map((node) => (
        <li key={node.key} className="ps-1">
          <Node node={node} addressOf={addressOf} />
        </li>
      ))}
    </ul>
  );
}

function Node({ node, addressOf }: Pick<Props, 'addressOf'> & { node: TreeNode }) {
  const { t } = useTranslation('common');
  if (node.size === undefined) {
    return (
      <span className="break-words">
        <Key node={node} /> <bdi>{node.text}</bdi>
        {node.cut && (
          <>
            {'… '}
            <a href={addressOf(node.pointer)} className="text-link font-sans">
              {t('value.whole')}
            </a>
          </>
        )}
      </span>
    );
  }
  if (node.children === undefined) {
    return (
      <>
        <Key node={node} />{' '}
        {node.size === 0 ? (
          <span className="text-muted">{node.isList ? '[]' : '{}'}</span>
        ) : (
          <a href={addressOf(node.pointer)} className="text-link">
            <Size node={node} />
          </a>
        )}
      </>
    );
  }
  const left = node.size - node.children.length;
  return (
    <details open={node.size <= UNFOLDED}>
      <summary className="cursor-pointer">
        <Key node={node} />{' '}
        <span className="text-muted">
          <Size node={node} />
        </span>
      </summary>
      <div className="border-s border-line ps-3">
        <JsonTree nodes={node.children} addressOf={addressOf} />
        {left > 0 && (
          <a href={addressOf(node.pointer, node.children.length)} className="text-link font-sans text-sm">
            <More number={left} />
          </a>
        )}
      </div>
    </details>
  );
}

const Key = ({ node: { key } }: { node: TreeNode }) => (
  <span className="text-accent">
    <bdi>{key}</bdi>:
  </span>
);

function Size({ node: { size = 0, isList } }: { node: TreeNode }) {
  const { t } = useTranslation('common');
  const { number } = useFormats();
  const text = t('value.entries', { number: number(size) });
  return isList ? `[ ${text} ]` : `{ ${text} }`;
}

function More({ number: left }: { number: number }) {
  const { t } = useTranslation('common');
  const { number } = useFormats();
  return t('value.more', { number: number(left) });
}
