/** How does a button open a few choices? */
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

export interface MenuProps {
  label: string;
  icon: ReactNode;
  items: { label: string; run(): void }[];
}

/** Arrow keys move, Enter chooses, Esc and a click elsewhere close. */
export function Menu({ label, icon, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    list.current?.querySelector('button')?.focus();
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener('pointerdown', onPointer);
    return () => window.removeEventListener('pointerdown', onPointer);
  }, [isOpen]);

  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const choices = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = choices.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + choices.length, Home: 0, End: choices.length - 1 }[
      event.key
    ];
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setOpen(false);
    else if (to !== undefined) choices[to % choices.length]?.focus();
    else return;
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
  };
  return (
    <div className="menu" ref={root}>
      <button
        type="button"
        ref={button}
        className="icon"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {icon}
      </button>
      {isOpen && (
        <MenuList id={id} label={label} items={items} listRef={list} onKeyDown={onKeyDown} onChosen={close} />
      )}
    </div>
  );
}

interface MenuListProps extends Pick<MenuProps, 'label' | 'items'> {
  id: string;
  listRef: RefObject<HTMLDivElement | null>;
  onKeyDown(event: KeyboardEvent): void;
  onChosen(): void;
}

function MenuList({ id, label, items, listRef, onKeyDown, onChosen }: MenuListProps) {
  return (
    <div
      className="menu-list"
      id={id}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      ref={listRef}
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onChosen();
            item.run();
          }}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}
