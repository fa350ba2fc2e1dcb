package io.samewire.tour;

import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.samewire.pack.Name;

/** Jackson reads our {@code @Name}, so that one record serves both. */
public final class Names extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public PropertyName findNameForSerialization(Annotated annotated) {
        return named(annotated, super.findNameForSerialization(annotated));
    }

    @Override
    public PropertyName findNameForDeserialization(Annotated annotated) {
        return named(annotated, super.findNameForDeserialization(annotated));
    }

    private static PropertyName named(Annotated annotated, PropertyName otherwise) {
        Name name = annotated.getAnnotation(Name.class);
        return name == null ? otherwise : PropertyName.construct(name.value());
    }
}
