// From the disk browsers start no worker: there the search's runs in a hidden frame, which is spoken to as a worker is.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.tell(data);
      inside.importScripts = () => undefined;
      const script = inside.document.createElement("script");
      script.src = address;
      this.ready = new Promise((resolve, reject) => {
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${address} cannot be read`));
      });
      this.ready.catch((error) => this.onerror?.(error));
      inside.document.body.append(script);
    }

    tell(data) {
      const event = new MessageEvent("message", { data: structuredClone(data) });
      setTimeout(() => {
        this.dispatchEvent(event);
        this.onmessage?.(event);
      });
    }

    postMessage(message) {
      const data = structuredClone(message);
      this.ready.then(() => {
        const inside = this.frame.contentWindow;
        inside?.dispatchEvent(new inside.MessageEvent("message", { data }));
      });
    }

    terminate() {
      this.frame.remove();
    }
  };
}
