// A page that was opened as a file may not start a web worker, and the search runs in one. Here it runs in a
// hidden frame instead. Served pages keep real workers.
if (location.protocol === "file:") {
  window.IFrameWorker = true; // tells the search's script that it is in a frame

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      const insert = () => {
        document.body.append(this.frame);
        const inner = this.frame.contentWindow;
        inner.postMessage = (data) =>
          this.dispatchEvent(new MessageEvent("message", { data }));
        const script = inner.document.createElement("script");
        script.src = new URL(url, document.baseURI).href;
        script.onload = () => {
          const waiting = this.waiting;
          this.waiting = null;
          waiting.forEach((data) => this.postMessage(data));
        };
        script.onerror = () => this.dispatchEvent(new ErrorEvent("error"));
        inner.document.body.append(script);
      };
      if (document.body) insert();
      else document.addEventListener("DOMContentLoaded", insert);
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else {
        const inner = this.frame.contentWindow;
        inner.dispatchEvent(new inner.MessageEvent("message", { data }));
      }
    }

    terminate() {
      this.frame.remove();
    }
  };
}
