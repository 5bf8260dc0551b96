type Canvas = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

/** A part of the document that contains other parts. */
type Group = 'Sect' | 'Table' | 'TR';
/** A part that contains text. */
type Leaf = 'H1' | 'H2' | 'P' | 'TH' | 'TD';

/**
 * The tags of a PDF: what screen readers read, in this order, and what they skip. Everything is drawn either in a leaf
 * or as an artifact (ISO 32000-1 §14.8).
 */
export class Structure {
  readonly #canvas: Canvas;
  #parent: Element;

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
    this.#parent = canvas.struct('Document');
    canvas.addStructure(this.#parent);
  }

  /** Makes everything that `draw` adds part of a group. Pages may begin within it. */
  group(type: Group, draw: () => void): void {
    const outer = this.#parent;
    this.#parent = this.#canvas.struct(type);
    outer.add(this.#parent);
    draw();
    this.#parent = outer;
  }

  /**
   * Makes everything that `draw` draws on the current page one piece of text. `text` is its content if the letters are
   * drawn in another order than they are read.
   */
  leaf(type: Leaf, draw: () => void, text = ''): void {
    const options = READS_FROM_THE_RIGHT.test(text) ? { actual: text } : {};
    this.#parent.add(this.#canvas.struct(type, options, draw));
  }

  /** Marks everything that `draw` draws as carrying no information, or none that is new. */
  artifact(type: 'Layout' | 'Pagination', draw: () => void): void {
    this.#canvas.markContent('Artifact', { type });
    draw();
    this.#canvas.endMarkedContent();
  }
}

const READS_FROM_THE_RIGHT = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}/u;
